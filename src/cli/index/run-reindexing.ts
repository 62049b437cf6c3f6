import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findTranscripts } from '../../app/index/select-transcripts.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { plural } from '../../domain/text/time-text.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { CommandContext } from '../run-command.ts';
import { embedInBackground } from './embed-in-background.ts';
import { renderIndexSummary } from './render-index-summary.ts';
import { runIndexing } from './run-indexing.ts';

/**
 * Drops the index and rebuilds it, keeping tags. Sessions whose transcript is gone would be lost, so it refuses before dropping
 * anything if there are any.
 */
export async function runReindexing(
  context: CommandContext,
  { yes = false, embed, json = false }: { yes?: boolean; embed?: boolean; json?: boolean },
): Promise<void> {
  const { parts, terminal } = context;
  if (parts.localFile.exists()) {
    refuseLosses(await findLosses(context));
    // Opens all that indexing needs: what is refused must be refused before the index is dropped.
    await (await parts.indexing()).writer.close();
    if (!(await agreed(context, yes))) return;
  }
  await parts.localFile.drop();
  const inBackground = embed === undefined && !json && terminal.interactive;
  const summary = await runIndexing(context, {
    force: false,
    embed: embed !== false && !inBackground,
    keep: embed !== false,
    quiet: json,
  });
  terminal.out(json ? JSON.stringify(summary) : renderIndexSummary(summary, terminal));
  if (inBackground) await embedInBackground(context, summary);
}

interface Losses {
  /** Ids of the sessions whose transcript is gone. */
  lost: string[];
  /** Folders of existing transcripts outside the currently configured folders. */
  elsewhere: string[];
}

function refuseLosses({ lost, elsewhere }: Losses): void {
  if (elsewhere.length > 0) {
    const folders = elsewhere.slice(0, MAX_FOLDERS).join(', ');
    throw new SmartForkError(
      'STORE_INCOMPATIBLE',
      `some indexed sessions are in folders that are no longer configured, so reindex would lose them: ${folders}`,
      {
        hint: 'Run reindex with the CLAUDE_CONFIG_DIR and CODEX_HOME they were indexed with, or set claude.homes and codex.homes to all folders.',
      },
    );
  }
  if (lost.length === 0) return;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the transcripts of ${plural(lost.length, 'indexed session')} are no longer on this machine, so reindex would lose them: ${lost.slice(0, MAX_NAMED).join(', ')}${lost.length > MAX_NAMED ? ', …' : ''}`,
    {
      hint: 'Restore them first (smart-fork restore ID), keep using the old model, or forget them: smart-fork forget ID',
    },
  );
}

const MAX_FOLDERS = 3;
const MAX_NAMED = 3;

async function findLosses({ parts }: CommandContext): Promise<Losses> {
  const files = findTranscripts(parts.sources);
  // Prompts alone do not replace a session that was read from a transcript.
  const found = new Set(
    files.flatMap(({ path, sessionId, onlyPrompts }) => (onlyPrompts ? [path] : [path, sessionId])),
  );
  const elsewhere = new Set<string>();
  const store = await parts.local();
  const lost: string[] = [];
  const look = (id: string, path: string | undefined) => {
    if (found.has(id) || (path !== undefined && found.has(path))) return;
    if (path !== undefined && existsSync(path)) elsewhere.add(dirname(path));
    else lost.push(id);
  };
  for await (const session of eachSession(store)) look(session.session_id, session.jsonl_path);
  // A damaged record does not tell the path, but the notes of the last run do.
  for (const { session_id: id } of await store.listDamaged({})) look(id, parts.state().ofSession(id)?.path);
  return { lost, elsewhere: [...elsewhere] };
}

async function agreed({ terminal }: CommandContext, yes: boolean): Promise<boolean> {
  if (yes) return true;
  const { confirm } = await import('../terminal/prompt.ts');
  return confirm('Drop the index and rebuild it from the transcripts?', {
    terminal,
    defaultYes: true,
    hint: 'Add --yes to drop the index and rebuild it.',
  });
}

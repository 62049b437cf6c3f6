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
  /** Number of sessions whose transcript is gone. */
  lost: number;
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
  if (lost === 0) return;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the transcripts of ${plural(lost, 'indexed session')} are no longer on this machine, so reindex would lose them`,
    {
      hint: 'Restore them first (smart-fork restore ID), keep using the old model, or forget them: smart-fork forget ID',
    },
  );
}

const MAX_FOLDERS = 3;

async function findLosses({ parts }: CommandContext): Promise<Losses> {
  const files = findTranscripts(parts.sources);
  // Prompts alone do not replace a session that was read from a transcript.
  const found = new Set(
    files.flatMap(({ path, sessionId, onlyPrompts }) => (onlyPrompts ? [path] : [path, sessionId])),
  );
  const elsewhere = new Set<string>();
  const store = await parts.local();
  let lost = 0;
  for await (const session of eachSession(store)) {
    if (found.has(session.jsonl_path) || found.has(session.session_id)) continue;
    if (existsSync(session.jsonl_path)) elsewhere.add(dirname(session.jsonl_path));
    else lost += 1;
  }
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

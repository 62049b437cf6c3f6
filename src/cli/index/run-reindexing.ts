import { SmartForkError } from '../../domain/errors.ts';
import { plural } from '../../domain/text/time-text.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { CommandContext } from '../run-command.ts';
import { renderIndexSummary } from './render-index-summary.ts';
import { runIndexing } from './run-indexing.ts';

/**
 * Drops the index and rebuilds it, with its tags. If a session's transcript is gone, rebuilding would lose the session, so it
 * refuses before it drops anything.
 */
export async function runReindexing(
  context: CommandContext,
  options: { yes: boolean; embed: boolean; json: boolean },
): Promise<void> {
  const { parts, terminal } = context;
  const kept = parts.localFile.exists()
    ? await tagsAndLosses(context)
    : { tags: new Map<string, string[]>(), lost: 0 };
  if (kept.lost > 0) {
    throw new SmartForkError(
      'STORE_INCOMPATIBLE',
      `the transcripts of ${plural(kept.lost, 'indexed session')} are no longer on this machine, so reindex would lose them`,
      {
        hint: 'Restore them first (smart-fork restore ID), keep using the old model, or forget them: smart-fork forget ID',
      },
    );
  }
  if (parts.localFile.exists() && !(await agreed(context, options.yes))) return;
  await parts.localFile.drop();
  const summary = await runIndexing(context, {
    force: false,
    embed: options.embed,
    keep: options.embed,
    quiet: options.json,
  });
  const store = await parts.local();
  for (const [id, tags] of kept.tags) await store.setTags(id, tags);
  terminal.out(options.json ? JSON.stringify(summary) : renderIndexSummary(summary, terminal));
}

async function tagsAndLosses({
  parts,
}: CommandContext): Promise<{ tags: Map<string, string[]>; lost: number }> {
  const store = await parts.local();
  const tags = new Map<string, string[]>();
  let lost = 0;
  for await (const session of eachSession(store)) {
    if (session.tags.length > 0) tags.set(session.session_id, session.tags);
    const source = parts.sources.find(({ agent }) => agent === session.agent);
    const here = source?.inspect(session.jsonl_path) ?? source?.locate(session.session_id) ?? null;
    if (here === null) lost += 1;
  }
  return { tags, lost };
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

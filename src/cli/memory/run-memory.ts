import { listOpen } from '../../app/memory/list-open.ts';
import { listTopics } from '../../app/memory/list-topics.ts';
import { memoryStats } from '../../app/memory/memory-stats.ts';
import { recall } from '../../app/memory/recall.ts';
import { timeline } from '../../app/memory/timeline.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { IDEA_KINDS, type IdeaKind } from '../../domain/session/ideas.ts';
import { ensureIndexed } from '../index/ensure-indexed.ts';
import type { CommandContext } from '../run-command.ts';
import { type FilterArguments, filterOf } from '../shared/filter-options.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { renderMemoryStats, renderOpen, renderTimeline, renderTopics } from './render-memory.ts';
import { renderRecall } from './render-recall.ts';

interface Common extends FilterArguments {
  kind?: string | string[];
  limit?: number;
  all?: boolean;
  json?: boolean;
}

export async function runRecall(
  context: CommandContext,
  options: Common & {
    query: string;
    open?: boolean;
    literal?: boolean;
  },
): Promise<void> {
  const { parts, terminal } = context;
  const { query } = options;
  if (query.trim() === '')
    throw new SmartForkError('USAGE', 'the question is empty', { hint: 'Ask what past sessions decided.' });
  if (!(await ensureIndexed(context))) return;
  const filter = await filterOf(options, parts);
  const running = runningSessions(parts);
  const work = async () =>
    recall(
      { ...parts, store: await parts.store() },
      {
        query,
        filter: running.length > 0 ? { ...filter, excludeSessionIds: running } : filter,
        ...kindsOf(options),
        open: options.open || undefined,
        limit: options.limit,
        literal: options.literal === true,
        all: options.all === true,
      },
    );
  const response = await waitFor(work(), { terminal, text: 'Searching' });
  if (options.json === true) return terminal.out(JSON.stringify(response));
  terminal.out(renderRecall(response, terminal, parts.machine.now()));
}

export async function runTopics(context: CommandContext, options: Common & { id?: string }): Promise<void> {
  const { parts, terminal } = context;
  const store = await parts.store();
  const session = options.id === undefined ? null : await findSession(store, options.id);
  const filter = session === null ? await filterOf(options, parts) : { sessionIds: [session.session_id] };
  const sessions = await listTopics({ ...parts, store }, { filter, limit: options.limit ?? 5 });
  if (options.json === true) return terminal.out(JSON.stringify({ sessions }));
  terminal.out(renderTopics(sessions, terminal, parts.machine.now()));
}

export async function runTimeline(
  context: CommandContext,
  options: Common & { entity?: string; query: string },
): Promise<void> {
  const { parts, terminal } = context;
  const store = await parts.store();
  const { entity, query, limit = 30 } = options;
  const request = {
    filter: await filterOf(options, parts),
    entity,
    query: query.trim() !== '' ? query : undefined,
    ...kindsOf(options),
    limit,
    all: options.all === true,
  };
  const answer = await timeline({ ...parts, store }, request);
  if (options.json === true) return terminal.out(JSON.stringify(answer));
  terminal.out(renderTimeline(answer, terminal, parts.machine.now()));
}

export async function runOpen(context: CommandContext, options: Common): Promise<void> {
  const { parts, terminal } = context;
  const store = await parts.store();
  const filter = await filterOf(options, parts);
  const answer = await listOpen(
    { ...parts, store },
    { filter, ...kindsOf(options), limit: options.limit ?? 20, all: options.all === true },
  );
  if (options.json === true) return terminal.out(JSON.stringify(answer));
  terminal.out(renderOpen(answer, terminal, parts.machine.now()));
}

export async function runMemoryStats(context: CommandContext, options: Common): Promise<void> {
  const { parts, terminal } = context;
  const stats = await memoryStats(await parts.store(), await filterOf(options, parts));
  if (options.json === true) return terminal.out(JSON.stringify(stats));
  terminal.out(renderMemoryStats(stats, terminal));
}

/** yargs returns a list only for an option given several times. */
function kindsOf({ kind }: Common): { kinds?: IdeaKind[] } {
  const given = [kind ?? []].flat();
  return given.length === 0 ? {} : { kinds: IDEA_KINDS.filter((one) => given.includes(one)) };
}

import * as z from 'zod';
import { archiveSize } from '../../app/archive/archive-size.ts';
import { sessionStats as readStats } from '../../app/search/session-stats.ts';
import { storePlace } from '../../compose/parts.ts';
import { archiveText } from '../../domain/archive/archive-text.ts';
import { statsShape } from '../../domain/json/state.ts';
import { bytes, count, plural, timeAgo } from '../../domain/text/time-text.ts';
import { filterOf } from '../filter.ts';
import { openStore } from '../open-store.ts';
import { filters } from '../schemas.ts';
import { defineTool } from '../tool.ts';

const output = z.object(statsShape);

export const sessionStats = defineTool({
  name: 'session_stats',
  title: 'What is indexed',
  description: 'Counts indexed sessions by repository, agent and month, and passages not embedded yet.',
  input: z.strictObject(filters),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run(args, call) {
    const { filter } = await filterOf(args, call);
    const { parts } = call;
    const store = await openStore(call);
    const archive = await archiveSize(parts.archive, parts.config.archive);
    const deps = { store, state: parts.state(), ...storePlace(parts.config), archive };
    const stats = await readStats(deps, filter);
    const waiting = stats.waiting.intents + stats.waiting.chunks;
    const list = (rows: { value: string; count: number }[]) =>
      rows.map(({ value, count: n }) => `${value} ${n}`).join(', ') || 'none';
    return {
      structured: stats,
      text: [
        `${plural(stats.sessions, 'session')}, ${plural(stats.chunks + stats.intents, 'passage')}, ${count(stats.vectors)} embedded${waiting > 0 ? `, ${count(waiting)} not embedded yet` : ''}`,
        `Store: ${stats.store.kind}, ${bytes(stats.store.bytes)}, ${stats.store.location}`,
        `Archive: ${archiveText(stats.archive)}`,
        `Last synced: ${stats.last_synced === null ? 'never' : timeAgo(stats.last_synced, parts.machine.now())}`,
        `Repositories: ${list(stats.by_repo)}`,
        `Agents: ${list(stats.by_agent)}`,
        `Months: ${list(stats.by_month)}`,
      ].join('\n'),
    };
  },
});

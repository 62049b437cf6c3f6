import * as z from 'zod';
import { archiveText } from '../../domain/archive/archive-text.ts';
import { facet } from '../../domain/json/search.ts';
import { bytes, count, plural, timeAgo } from '../../domain/text/time-text.ts';
import { stats as operation } from '../../operations/state/stats.ts';
import { operationTool } from '../operation-tool.ts';
import { RARE_FILTERS } from '../schemas.ts';

const output = z.looseObject({
  sessions: z.number(),
  vectors: z.number(),
  waiting: z.looseObject({}).describe('passages not embedded yet'),
  store: z.looseObject({ kind: z.string(), location: z.string() }),
  last_synced: z.string().nullable(),
  by_repo: facet,
  by_month: facet,
  by_agent: facet,
});

export const sessionStats = operationTool({
  operation,
  name: 'session_stats',
  title: 'What is indexed',
  description: 'Counts indexed sessions by repository, agent and month, and passages not embedded yet.',
  without: ['searches'],
  unlisted: RARE_FILTERS,
  output,
  annotations: { idempotentHint: true, openWorldHint: false },
  answer({ server: _, ...stats }, { parts }) {
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
        ...stats.unread.map((one) => `Not read: ${one.text}`),
        `Repositories: ${list(stats.by_repo)}`,
        `Agents: ${list(stats.by_agent)}`,
        `Months: ${list(stats.by_month)}`,
      ].join('\n'),
    };
  },
});

import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import { isoTime } from '../../../domain/text/time-text.ts';
import { type Condition, sessionCondition } from '../points/session-filter.ts';

/** A condition on a point `p` and its session `s`; null if everything matches. */
export function memoryCondition(filter: MemoryFilter): Condition | null {
  const all: Condition[] = [];
  const add = (sql: string, ...params: (string | number)[]) => all.push({ sql, params });
  const ofSession = sessionCondition(filter.sessions ?? {});
  if (ofSession !== null) all.push(ofSession);
  if (filter.kinds) add('p.kind IN (SELECT value FROM json_each(?))', JSON.stringify(filter.kinds));
  if (filter.open !== undefined) add('p.is_open = ?', Number(filter.open));
  if (filter.entities)
    add(
      'p.rowid IN (SELECT point FROM entities WHERE name IN (SELECT value FROM json_each(?)))',
      JSON.stringify(filter.entities),
    );
  if (filter.since) add('p.ended_at >= ?', isoTime(filter.since));
  if (filter.until) add('p.ended_at <= ?', isoTime(filter.until));
  if (all.length === 0) return null;
  return { sql: all.map(({ sql }) => `(${sql})`).join(' AND '), params: all.flatMap(({ params }) => params) };
}

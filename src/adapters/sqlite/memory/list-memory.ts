import type { DamageNotes } from '../../../domain/damage.ts';
import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import type { MemoryPayload } from '../../../domain/point/point.ts';
import type { Database } from '../database/open-database.ts';
import { memoryOf, PAYLOAD } from '../points/point-payload.ts';
import { readIntact } from '../points/rows.ts';
import { memoryCondition } from './memory-condition.ts';

/** See PointStore.listMemory. */
export function listMemory(
  database: Database,
  damage: DamageNotes,
  type: MemoryPayload['type'],
  filter: MemoryFilter,
  limit: number,
): MemoryPayload[] {
  const condition = memoryCondition(filter);
  const rows = database
    .prepare(
      `SELECT ${PAYLOAD} FROM points p JOIN sessions s ON s.rowid = p.session
        WHERE p.type = ? ${condition === null ? '' : `AND ${condition.sql}`}
        ORDER BY coalesce(p.ended_at, '') DESC, p.id LIMIT ?`,
    )
    .all(type, ...(condition?.params ?? []), limit);
  return readIntact(rows, damage, memoryOf);
}

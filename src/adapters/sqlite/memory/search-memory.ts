import { MEMORY_LIMIT, type MemoryFilter, type MemoryLists } from '../../../domain/memory/memory-search.ts';
import type { MemoryPayload } from '../../../domain/point/point.ts';
import type { Hit } from '../../../domain/search/search.ts';
import type { Database } from '../database/open-database.ts';
import { hitOf } from '../points/rows.ts';
import { matchExpression } from '../points/search-lists.ts';
import type { Condition } from '../points/session-filter.ts';
import type { TokenCounts } from '../points/token-counts.ts';
import type { VectorTables } from '../vectors/vector-tables.ts';
import { memoryCondition } from './memory-condition.ts';

interface MemoryQuery {
  tokens: string[] | null;
  vector: Float32Array | null;
  filter: MemoryFilter;
}

export function searchMemory(
  database: Database,
  counts: TokenCounts,
  vectors: VectorTables,
  { tokens, vector, filter }: MemoryQuery,
): MemoryLists {
  const condition = memoryCondition(filter);
  const words = tokens && matchExpression(counts.telling('memory_fts', tokens));
  const byWords = (type: MemoryPayload['type']) =>
    words === null ? null : searchWords(database, type, words, condition);
  const byVector = (type: MemoryPayload['type']) =>
    vector === null ? null : vectors.nearest(type, vector, MEMORY_LIMIT, condition);
  return {
    ideasByWords: byWords('idea'),
    ideasByVector: byVector('idea'),
    spansByWords: byWords('span'),
    spansByVector: byVector('span'),
  };
}

function searchWords(
  database: Database,
  type: MemoryPayload['type'],
  words: string,
  condition: Condition | null,
): Hit[] {
  if (words === '') return [];
  return database
    .prepare(
      `SELECT s.session_id, s.ended_at, p.id, -f.rank AS score FROM memory_fts f
         JOIN points p ON p.rowid = f.rowid JOIN sessions s ON s.rowid = p.session
        WHERE memory_fts MATCH ? AND p.type = ? ${condition === null ? '' : `AND ${condition.sql}`}
        ORDER BY f.rank, p.id LIMIT ?`,
    )
    .all(words, type, ...(condition?.params ?? []), MEMORY_LIMIT)
    .map(hitOf);
}

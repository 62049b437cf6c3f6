import type { Hit, ListLimits, RankedLists, SessionFilter } from '../../../domain/search/search.ts';
import { isoTime } from '../../../domain/text/time-text.ts';
import type { Database, Row } from '../database/open-database.ts';
import { numberOf, textOf, timeOf } from './rows.ts';
import { type Condition, sessionCondition } from './session-filter.ts';
import type { TokenCounts } from './token-counts.ts';
import type { VectorTables } from './vectors.ts';
import type { WordTable } from './word-tables.ts';

interface ListQuery {
  tokens: string[] | null;
  vector: Float32Array | null;
  filter: SessionFilter;
  limits: ListLimits;
}

export function searchLists(
  database: Database,
  counts: TokenCounts,
  vectors: VectorTables,
  query: ListQuery,
): RankedLists {
  const condition = sessionCondition(query.filter);
  const asOf = query.filter.asOf && isoTime(query.filter.asOf);
  const { tokens, vector, limits } = query;
  const words = (table: WordTable) => matchExpression(counts.telling(table, tokens ?? []));
  return {
    sessionsByWords:
      tokens && sessionsByWords(database, words('session_fts'), condition, limits.sessions, asOf),
    chunksByWords: tokens && chunksByWords(database, words('chunk_fts'), condition, limits.chunks, asOf),
    chunksByVector: vector === null ? null : vectors.nearest('chunk', vector, limits.chunks, condition, asOf),
    intentsByVector:
      vector === null ? null : vectors.nearest('intent', vector, limits.intents, condition, asOf),
  };
}

/** What the tables' tokenizer takes as one token; it would split anything else. */
const WHOLE_TOKEN = /^[\w~+\u0080-\uffff]+$/;

/** Tokens as FTS5 strings joined by OR. */
function matchExpression(tokens: string[]): string {
  return tokens
    .filter((token) => WHOLE_TOKEN.test(token))
    .map((token) => `"${token}"`)
    .join(' OR ');
}

function sessionsByWords(
  database: Database,
  words: string,
  condition: Condition | null,
  limit: number,
  asOf: string | undefined,
): Hit[] {
  if (words === '') return [];
  // The row of a session that went on after `asOf` includes later words: only its chunks count.
  const only = [condition?.sql, asOf && 's.ended_at <= ?'].filter(Boolean).join(' AND ');
  const sql =
    only === ''
      ? `SELECT s.session_id, s.ended_at, n.score FROM
           (SELECT rowid, -rank AS score FROM session_fts WHERE session_fts MATCH ? ORDER BY rank LIMIT ?) n
           JOIN sessions s ON s.rowid = n.rowid ORDER BY n.score DESC, s.session_id`
      : `SELECT s.session_id, s.ended_at, -f.rank AS score FROM session_fts f JOIN sessions s ON s.rowid = f.rowid
          WHERE session_fts MATCH ? AND ${only} ORDER BY f.rank, s.session_id LIMIT ?`;
  const params = only === '' ? [limit] : [...(condition?.params ?? []), ...(asOf ? [asOf] : []), limit];
  return database
    .prepare(sql)
    .all(words, ...params)
    .map((row) => ({
      session_id: textOf(row, 'session_id'),
      point_id: '',
      score: numberOf(row, 'score'),
      ended_at: timeOf(row),
    }));
}

function chunksByWords(
  database: Database,
  words: string,
  condition: Condition | null,
  limit: number,
  asOf: string | undefined,
): Hit[] {
  if (words === '') return [];
  const only = [condition?.sql, asOf && 'p.ended_at <= ?'].filter(Boolean).join(' AND ');
  const sql =
    only === ''
      ? `SELECT s.session_id, s.ended_at, p.id, n.score FROM
           (SELECT rowid, -rank AS score FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY rank LIMIT ?) n
           JOIN points p ON p.rowid = n.rowid JOIN sessions s ON s.rowid = p.session ORDER BY n.score DESC, p.id`
      : `SELECT s.session_id, s.ended_at, p.id, -f.rank AS score FROM chunk_fts f
           JOIN points p ON p.rowid = f.rowid JOIN sessions s ON s.rowid = p.session
          WHERE chunk_fts MATCH ? AND ${only} ORDER BY f.rank, p.id LIMIT ?`;
  const params = only === '' ? [limit] : [...(condition?.params ?? []), ...(asOf ? [asOf] : []), limit];
  return database
    .prepare(sql)
    .all(words, ...params)
    .map(chunkHit);
}

function chunkHit(row: Row): Hit {
  return {
    session_id: textOf(row, 'session_id'),
    point_id: textOf(row, 'id'),
    score: numberOf(row, 'score'),
    ended_at: timeOf(row),
  };
}

import type { Hit } from '../../../domain/search/search.ts';
import type { Database } from '../database/open-database.ts';
import { stateOf } from '../database/remember-answers.ts';
import { hitOf, numberOf } from '../points/rows.ts';
import type { Condition } from '../points/session-filter.ts';
import { rememberedRows } from '../points/word-tables.ts';

export type ScoredTable = 'session_fts' | 'chunk_fts';

/**
 * The best rows of a full-text table for some tokens, from what each token scores in each row, kept until the store changes. BM25 is a
 * sum over tokens: scores and order are those of one statement, to the bit. Null where that statement costs less.
 * @param among selects the rows that count; null: all
 */
export type WordScores = (
  table: ScoredTable,
  tokens: string[],
  limit: number,
  among: Condition | null,
) => Hit[] | null;

/**
 * One statement for all tokens takes a third of the time of one for each, which pays only if the next searches use them. One search
 * asks at most ten times without a filter.
 */
const FIRST_AT_ONCE = 10;
/** With more, a few tokens would fill the memory. */
const MOST_ROWS = 50_000;
/** 16 bytes each. */
const MOST_SCORES = 1_000_000;

const HITS = {
  session_fts: `SELECT s.rowid, s.session_id, s.ended_at, '' AS id FROM sessions s
    WHERE s.rowid IN (SELECT value FROM json_each(?))`,
  chunk_fts: `SELECT p.rowid, s.session_id, s.ended_at, p.id FROM points p JOIN sessions s ON s.rowid = p.session
    WHERE p.rowid IN (SELECT value FROM json_each(?))`,
} as const;

export function createWordScores(database: Database): WordScores {
  const state = stateOf(database);
  const tables = {
    session_fts: createTable(database, 'session_fts'),
    chunk_fts: createTable(database, 'chunk_fts'),
  };
  let knownAt = '';
  let asked = 0;
  return (name, tokens, limit, among) => {
    const now = state();
    if (now !== knownAt) {
      for (const one of Object.values(tables)) one.clear();
      asked = 0;
    }
    knownAt = now;
    if (among === null) asked += 1;
    return asked > FIRST_AT_ONCE ? tables[name].best(tokens, limit, among) : null;
  };
}

interface Scores {
  rows: Float64Array;
  scores: Float64Array;
}

function createTable(database: Database, name: ScoredTable) {
  const known = new Map<string, Scores>();
  const hits = new Map<number, Omit<Hit, 'score'>>();
  let last: { question: string; rows: Set<number> } | null = null;
  let rows: number | null = null;
  let size = 0;
  const clear = () => {
    known.clear();
    hits.clear();
    last = null;
    rows = null;
    size = 0;
  };
  const scoresOf = (token: string): Scores => {
    const before = known.get(token);
    if (before !== undefined) return before;
    const found = database
      .prepare(`SELECT rowid, -rank AS score FROM ${name} WHERE ${name} MATCH ?`)
      .all(`"${token}"`);
    const scores = {
      rows: Float64Array.from(found, (row) => numberOf(row, 'rowid')),
      scores: Float64Array.from(found, (row) => numberOf(row, 'score')),
    };
    known.set(token, scores);
    size += 1 + found.length;
    return scores;
  };
  const rowsAmong = ({ sql, params }: Condition): Set<number> => {
    const question = JSON.stringify([sql, params]);
    if (last?.question !== question) {
      const found = database.prepare(sql).all(...params);
      last = { question, rows: new Set(found.map((row) => numberOf(row, 'rowid'))) };
    }
    return last.rows;
  };
  const learnHits = (wanted: number[]) => {
    const missing = wanted.filter((row) => !hits.has(row));
    if (missing.length === 0) return;
    for (const row of database.prepare(HITS[name]).all(JSON.stringify(missing)))
      hits.set(numberOf(row, 'rowid'), hitOf(row));
    size += missing.length;
  };
  return {
    clear,
    best(tokens: string[], limit: number, among: Condition | null): Hit[] | null {
      if (size > MOST_SCORES) clear();
      rows ??= rememberedRows(database, name);
      if (rows > MOST_ROWS) return null;
      const sums = sumUp(tokens.map(scoresOf), among === null ? null : rowsAmong(among));
      // With a filter, the statement decides by ids which of two rows with the same score is the last one.
      if (among !== null && sums.length > limit) return null;
      const best = sums.slice(0, limit);
      learnHits(best.map(([row]) => row));
      return best
        .flatMap(([row, score]) => {
          const hit = hits.get(row);
          return hit === undefined ? [] : [{ ...hit, score }];
        })
        .sort(
          (a, b) =>
            b.score - a.score || compare(a.point_id, b.point_id) || compare(a.session_id, b.session_id),
        );
    },
  };
}

/** Rows, best first. Summed in the order of the tokens, since a sum of floating-point numbers depends on it. */
function sumUp(lists: Scores[], among: Set<number> | null): [row: number, score: number][] {
  const sums = new Map<number, number>();
  for (const { rows, scores } of lists)
    for (const [at, row] of rows.entries())
      if (among === null || among.has(row)) sums.set(row, (sums.get(row) ?? 0) + (scores[at] ?? 0));
  return [...sums].sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

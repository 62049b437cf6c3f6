import type { Database } from '../database/open-database.ts';
import { stateOf } from '../database/remember-answers.ts';
import { numberOf } from './rows.ts';
import { rememberedRows, type WordTable } from './word-tables.ts';

/** Document frequencies of tokens, cached until the store changes. */
export interface TokenCounts {
  frequencies(table: WordTable, tokens: string[]): Map<string, number>;
  /**
   * The tokens worth searching for in a table. FTS5 gives a token that occurs in half of the rows an IDF of a millionth, so it adds
   * nothing to any score but makes FTS5 score nearly every row. Small tables keep all tokens.
   */
  telling(table: WordTable, tokens: string[]): string[];
  /**
   * The rarest tokens, up to a total of `rows` occurrences. All tokens if scoring only rows with one of these would save little.
   */
  rarest(table: WordTable, tokens: string[], rows: number): string[];
}

const MANY_TO_SCORE = 500;
/** Finding rows twice takes as long as scoring two thirds of them. */
const WORTH_FINDING_TWICE = 3;
const MAX_REMEMBERED = 10_000;
const VOCABULARIES = {
  session_fts: 'session_vocabulary',
  chunk_fts: 'chunk_vocabulary',
  memory_fts: 'memory_vocabulary',
} as const;

export function createTokenCounts(database: Database): TokenCounts {
  const known = new Map<string, number>();
  const state = stateOf(database);
  let knownAt = '';
  /** Counting a frequent token reads its whole posting list, so each token is counted once per search. */
  const forgetWhenChanged = () => {
    const now = state();
    if (now !== knownAt || known.size > MAX_REMEMBERED) known.clear();
    knownAt = now;
  };
  const count = (table: WordTable, token: string): number => {
    const key = `${table} ${token}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const find = database.prepare(`SELECT doc FROM ${VOCABULARIES[table]} WHERE term = ?`);
    const counted = numberOf(find.get(token), 'doc');
    known.set(key, counted);
    return counted;
  };
  return {
    frequencies(table, tokens) {
      forgetWhenChanged();
      return new Map(tokens.map((token) => [token, count(table, token)]));
    },
    telling(table, tokens) {
      const rows = rememberedRows(database, table);
      if (rows < MANY_TO_SCORE) return tokens;
      forgetWhenChanged();
      const telling = tokens.filter((token) => 2 * count(table, token) < rows);
      return telling.length > 0 ? telling : tokens;
    },
    rarest(table, tokens, rows) {
      const all = tokens.reduce((sum, token) => sum + count(table, token), 0);
      if (all < WORTH_FINDING_TWICE * rows) return tokens;
      let found = 0;
      return [...tokens]
        .sort((one, other) => count(table, one) - count(table, other))
        .filter((token) => {
          const isWanted = found < rows;
          found += count(table, token);
          return isWanted;
        });
    },
  };
}

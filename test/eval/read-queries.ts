import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A query with known right answers. */
export interface Query {
  text: string;
  /** Ids of the sessions that answer it; any of them counts. */
  sessions: string[];
  /** Epoch milliseconds from which ages are counted, or null. */
  time: number | null;
  /** The hash of the commit whose subject it is, or null. */
  commit: string | null;
  /** Further phrasings. */
  also: string[];
}

/** Reads a file of `{query | subject, sessions[], date?}` lines. */
export function readQueries(path: string): Query[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => QueryLine.parse(JSON.parse(line)));
}

/**
 * The usable queries of a corpus, without empty and duplicate ones. For `queries`, all right sessions are in the corpus;
 * for `foreign`, none are, so the corpus cannot answer them.
 */
export function selectQueries(all: Query[], sessionIds: Set<string>): { queries: Query[]; foreign: Query[] } {
  const times = new Map<string, number>();
  for (const { text } of all) times.set(text, (times.get(text) ?? 0) + 1);
  const telling = all.filter(
    ({ text, sessions }) => sessions.length > 0 && times.get(text) === 1 && saysSomething(text),
  );
  return {
    queries: telling.filter(({ sessions }) => sessions.every((id) => sessionIds.has(id))),
    foreign: telling.filter(({ sessions }) => !sessions.some((id) => sessionIds.has(id))),
  };
}

/** At least four words (scripts without spaces are exempt); no merge, revert, version bump or fixup. */
function saysSomething(text: string): boolean {
  const longEnough = text.split(/\s+/).length >= 4 || /[\u3040-\u9fff]/.test(text);
  return longEnough && !EMPTY_SUBJECT.test(text);
}

const EMPTY_SUBJECT =
  /^(?:merge (?:branch|pull request|remote)|revert\b|(?:fixup|squash|amend)!|\w+(?:\([^)]*\))?!?: (?:bump|release)\b|bump\b|release v?\d)/i;

const QueryLine = z
  .object({
    query: z.string().optional(),
    subject: z.string().optional(),
    sessions: z.array(z.string()),
    date: z.string().optional(),
    commit: z.string().optional(),
    also: z.array(z.string()).optional(),
  })
  .transform(({ query, subject, sessions, date, commit, also = [] }): Query => {
    const time = date === undefined ? Number.NaN : Date.parse(date);
    return {
      text: query ?? subject ?? '',
      sessions,
      time: Number.isNaN(time) ? null : time,
      commit: commit ?? null,
      also,
    };
  });

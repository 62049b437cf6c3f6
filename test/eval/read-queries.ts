import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A search whose right answers are known. */
export interface Query {
  text: string;
  /** Ids of the sessions that answer it: any of them will do. */
  sessions: string[];
  /** Milliseconds since the epoch from where ages are counted, or null. */
  time: number | null;
}

/** Reads a file of `{query | subject, sessions[], date?}` lines. */
export function readQueries(path: string): Query[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => QueryLine.parse(JSON.parse(line)));
}

/**
 * Queries that can be asked of a corpus: those that say something, none twice. `queries` have all their right sessions
 * there; `foreign` ones none, so that the corpus has no answer to them.
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

/** Four words or more (a script without spaces has no words to count); no merge, revert, version bump or fixup. */
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
  })
  .transform(({ query, subject, sessions, date }): Query => {
    const time = date === undefined ? Number.NaN : Date.parse(date);
    return { text: query ?? subject ?? '', sessions, time: Number.isNaN(time) ? null : time };
  });

import { readFileSync } from 'node:fs';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import type { Query } from '../read-queries.ts';
import { isTrustworthy } from '../trustworthy.ts';
import type { BenchmarkQuery } from './benchmark-file.ts';

/** A query's right sessions, and of a commit whether each can be trusted to be right. */
export function labelsOf(query: Query, sessions: SessionPayload[]): BenchmarkQuery['labels'] {
  return query.sessions.map((session) => ({
    session,
    trustworthy: query.commit === null ? null : isTrustworthy({ ...query, sessions: [session] }, sessions),
  }));
}

/** Queries whose words stand next to each other in no line of a right session's transcripts: whoever finds one has found more than a copy. */
export function blindQueries(queries: Query[], paths: string[]): Set<Query> {
  const blind = new Set(queries);
  const asking = new Map<string, Query[]>();
  for (const query of queries)
    for (const id of query.sessions) asking.set(id, [...(asking.get(id) ?? []), query]);
  for (const [id, asked] of asking) {
    const lines = paths.filter((path) => path.includes(id)).flatMap(linesIn);
    for (const query of asked) {
      const words = wordsOf(query.text);
      if (lines.some((line) => line.includes(words))) blind.delete(query);
    }
  }
  return blind;
}

/** The words of every line of every text of a transcript, without case and punctuation. */
function linesIn(path: string): string[] {
  const lines = new Set<string>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    for (const text of textsIn(parsed(line)))
      for (const one of text.split('\n')) if (/\S/.test(one)) lines.add(wordsOf(one));
  }
  return [...lines];
}

/** A line that is cut off has no text. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Between spaces, so that only whole words match. */
function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}

import { type CountedText, rankByWords, type WordCounts } from '../../../domain/search/bm25.ts';
import type { Hit, TokenStatistics } from '../../../domain/search/search.ts';
import type { LegacyCollection, LegacyPoint } from '../../../ports/legacy-collection.ts';
import { countMarks, gatherSessions, type LegacySession } from './legacy-sessions.ts';

/** What reading all texts once has told. */
export interface LegacyScan {
  /** Newest first. */
  sessions: LegacySession[];
  pieces: ScannedPiece[];
  /** Of each piece, the index of its first turn. */
  turns: Map<string, number>;
}

export interface ScannedPiece extends CountedText {
  id: string;
  session_id: string;
  chunk_index: number;
  marks: ReturnType<typeof countMarks>;
}

/** Reads everything; no text is kept. */
export async function scanTexts(
  collection: LegacyCollection,
  count: (text: string) => Map<string, number>,
): Promise<LegacyScan> {
  const sessions = gatherSessions();
  const pieces: ScannedPiece[] = [];
  for await (const page of collection.points({ texts: true })) {
    for (const point of page) {
      sessions.add(point);
      if (point.type === 'chunk') pieces.push(scanPiece(point, count));
    }
  }
  return { sessions: sessions.list(), pieces, turns: turnsOf(pieces) };
}

/** A piece may begin inside of a turn that an earlier one has begun. */
export function turnsOf(pieces: Omit<ScannedPiece, 'counts' | 'length'>[]): Map<string, number> {
  const begun = new Map<string, number>();
  const inOrder = pieces.toSorted((a, b) => a.chunk_index - b.chunk_index);
  return new Map(
    inOrder.map(({ id, session_id, marks }) => {
      const before = begun.get(session_id) ?? 0;
      begun.set(session_id, before + marks.user);
      return [id, marks.beginsTurn ? before : Math.max(0, before - 1)];
    }),
  );
}

/** The two lists by words: sessions by all they say, and pieces. `beside`: words of another store that is searched too. */
export function rankScan(
  { pieces }: LegacyScan,
  tokens: string[],
  passing: Map<string, LegacySession>,
  beside: TokenStatistics | null,
): { sessions: Hit[]; chunks: Hit[] } {
  const hitsOf = (texts: (CountedText & { id: string; session_id: string })[], more?: WordCounts) =>
    rankByWords(texts, tokens, more).flatMap(({ text, score }): Hit[] => {
      const session = passing.get(text.session_id);
      if (session === undefined) return [];
      return [{ session_id: text.session_id, point_id: text.id, score, ended_at: session.timestamp }];
    });
  const { sessions, chunks } = beside === null ? {} : wordCounts(beside);
  return { sessions: hitsOf(wholeSessions(pieces), sessions), chunks: hitsOf(pieces, chunks) };
}

export function wordCounts(of: TokenStatistics): { sessions: WordCounts; chunks: WordCounts } {
  return {
    sessions: { texts: of.sessionCount, holders: of.sessionsWith },
    chunks: { texts: of.chunkCount, holders: of.chunksWith },
  };
}

export function wholeSessions(pieces: ScannedPiece[]): (CountedText & { id: ''; session_id: string })[] {
  const wholes = new Map<string, CountedText & { id: ''; session_id: string }>();
  for (const { session_id, counts, length } of pieces) {
    const whole = wholes.get(session_id) ?? { id: '', session_id, counts: new Map(), length: 0 };
    wholes.set(session_id, whole);
    whole.length += length;
    for (const [token, count] of counts) whole.counts.set(token, (whole.counts.get(token) ?? 0) + count);
  }
  return [...wholes.values()];
}

/** Lengths are compared with each other only: characters will do. */
function scanPiece(point: LegacyPoint, count: (text: string) => Map<string, number>): ScannedPiece {
  const { id, session_id, chunk_index } = point;
  const text = point.text ?? '';
  return { id, session_id, chunk_index, marks: countMarks(text), counts: count(text), length: text.length };
}

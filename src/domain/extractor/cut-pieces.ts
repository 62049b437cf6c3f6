import type { ChunkPayload, SpanPayload } from '../point/point.ts';

/** UTF-16 units that a model reads at once: about 4,000 tokens. */
const LONGEST_PIECE = 14_000;

/** A stretch of a session within one topic. */
export interface Piece {
  text: string;
  /** Index of its topic, and that topic's first line. */
  span: number;
  line: number;
  /** Where each passage begins in the text. */
  passages: { start: number; turn: number; timestamp: string | null }[];
}

/** Cuts the stored conversation, which is redacted, at topics and at a greatest length. Subagents are left out. */
export function cutPieces(chunks: ChunkPayload[], spans: SpanPayload[]): Piece[] {
  const pieces: Piece[] = [];
  for (const chunk of chunks) {
    if (chunk.subagent !== undefined) continue;
    const text = chunk.content.slice(chunk.overlap);
    const topic = topicAt(spans, chunk.turn);
    const span = topic?.chunk_index ?? 0;
    let piece = pieces.at(-1);
    if (piece === undefined || piece.span !== span || piece.text.length + text.length > LONGEST_PIECE) {
      piece = { text: '', span, line: topic?.first_line ?? 1, passages: [] };
      pieces.push(piece);
    }
    const { turn, ended_at: timestamp } = chunk;
    piece.passages.push({ start: piece.text.length, turn, timestamp });
    piece.text += text;
  }
  return pieces;
}

/** The turn in which an offset of the piece lies, and when that was. */
export function placeIn({ text, passages }: Piece, at: number): { turn: number; timestamp: string | null } {
  const passage = passages.findLast(({ start }) => start <= at);
  if (passage === undefined) return { turn: 0, timestamp: null };
  const before = text.slice(passage.start, at);
  const prompts = Array.from(before.matchAll(/^USER: /gm)).filter(({ index }) => index > 0);
  return { turn: passage.turn + prompts.length, timestamp: passage.timestamp };
}

function topicAt(spans: SpanPayload[], turn: number): SpanPayload | null {
  const around = spans.filter(({ first_turn, last_turn }) => first_turn <= turn && turn <= last_turn);
  return around.reduce<SpanPayload | null>(
    (best, span) => (best === null || span.depth >= best.depth ? span : best),
    null,
  );
}

import type { ChunkPayload, SpanPayload } from '../point/point.ts';

/** Longest text per call of the model, in UTF-16 units: about 4,000 tokens. */
const LONGEST_PIECE = 14_000;

/** A stretch of a session within one topic. */
export interface Piece {
  text: string;
  /** Index of its topic, and the topic's first line. */
  span: number;
  line: number;
  /** Offset in the text at which each passage begins. */
  passages: { start: number; turn: number; timestamp: string | null }[];
}

/** Cuts the stored, redacted conversation at topics, and again at the longest length. Subagents are left out. */
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

/** The turn that contains an offset of the piece, and its time. */
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

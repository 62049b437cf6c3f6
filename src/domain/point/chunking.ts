import type { ChunkSizes } from '../model/model-record.ts';
import type { Role } from '../session/session.ts';
import type { Reply } from '../session/transcript-event.ts';
import { splitText } from '../text/split-text.ts';
import { estimateTokens } from '../text/tokens.ts';

export interface ChunkMessage {
  role: Role;
  text: string;
  timestamp: string | null;
  /** The user's words in a dialog: they do not begin a turn. */
  reply?: Reply;
  /** Index of the turn, from 0. */
  turn: number;
}

/** The first `overlap` characters of `content` repeat the end of the previous chunk. */
export interface Chunk {
  index: number;
  content: string;
  overlap: number;
  timestamp: string | null;
  ended_at: string | null;
  turn: number;
  /** Id of the subagent that the conversation belongs to. */
  subagent?: string;
}

/** What a chunker needs to continue later; plain data. */
export interface ChunkerState {
  index: number;
  overlap: string;
  overlapTokens: number;
  pieces: Piece[];
}

interface Piece {
  /** `USER: `, `USER (reply): ` or `ASSISTANT: ` at the beginning of a message, else empty. */
  mark: string;
  text: string;
  /** Estimated tokens, mark included. */
  tokens: number;
  fenced: boolean;
  startsMessage: boolean;
  turn: number;
  timestamp: string | null;
}

/** Estimated tokens of the longest mark. */
const MARK_TOKENS = 4;

const MARKS: Record<Role, string> = { user: 'USER: ', assistant: 'ASSISTANT: ', tool: '' };
const REPLY = 'USER (reply): ';

/** The mark at the beginning of a message, on its line; the speaker is the first group. */
export const MARK = /^(USER|USER \(reply\)|ASSISTANT): /;

function markOf({ role, reply }: ChunkMessage): string {
  return reply === undefined ? MARKS[role] : REPLY;
}

export function emptyChunkerState(): ChunkerState {
  return { index: 0, overlap: '', overlapTokens: 0, pieces: [] };
}

/**
 * Adds a message and returns the chunks that it completed. The chunks depend only on the messages, however they are split over reads.
 * No chunk exceeds `sizes.max`. A turn that fits into one chunk stays whole, unless the previous chunk would be tiny.
 */
export function addToChunks(state: ChunkerState, message: ChunkMessage, sizes: ChunkSizes): Chunk[] {
  const finished: Chunk[] = [];
  const limits = { text: sizes.max - sizes.overlap - MARK_TOKENS, fenced: sizes.max - MARK_TOKENS };
  for (const [index, stretch] of splitText(`${message.text}\n`, limits).entries()) {
    const mark = index === 0 ? markOf(message) : '';
    const piece: Piece = {
      mark,
      text: stretch.text,
      tokens: mark === '' ? stretch.tokens : estimateTokens(mark + stretch.text),
      fenced: stretch.fenced,
      startsMessage: index === 0,
      turn: message.turn,
      timestamp: message.timestamp,
    };
    const startsTurn = index === 0 && message.role === 'user' && message.reply === undefined;
    const cut = whereToCut(state, piece, startsTurn, sizes);
    if (cut > 0) finished.push(closeChunk(state, cut, sizes));
    // A code block that leaves no room for an overlap gets none.
    if (state.pieces.length === 0 && estimateTokens(state.overlap) + piece.tokens > sizes.max)
      state.overlap = '';
    state.pieces.push(piece);
  }
  return finished;
}

/** The unfinished chunk, as if the session ended here; null when there is none. */
export function openChunk(state: ChunkerState): Chunk | null {
  return state.pieces.length === 0 ? null : toChunk(state, state.pieces);
}

/** The chunk's text for the lexical index, without overlap and role marks. */
export function lexicalText(chunk: { content: string; overlap: number }): string {
  return chunk.content.slice(chunk.overlap).replace(/^(?:USER|USER \(reply\)|ASSISTANT): /gm, '');
}

/** How many pieces to put into the chunk that is closed before a piece is added. */
function whereToCut(state: ChunkerState, piece: Piece, startsTurn: boolean, sizes: ChunkSizes): number {
  const { pieces } = state;
  if (pieces.length === 0) return 0;
  const before = state.overlapTokens;
  const tokens = before + sum(pieces);
  if (startsTurn && tokens >= sizes.min) return pieces.length;
  if (tokens + piece.tokens <= sizes.max) return 0;
  const fits = (from: number) => sizes.overlap + sum(pieces.slice(from)) + piece.tokens <= sizes.max;
  const turnStart = pieces.findIndex(({ turn }) => turn === piece.turn);
  if (turnStart > 0 && before + sum(pieces.slice(0, turnStart)) >= sizes.min / 2 && fits(turnStart))
    return turnStart;
  const boundary = pieces.findIndex(
    ({ startsMessage }, at) =>
      at > 0 && startsMessage && before + sum(pieces.slice(0, at)) >= sizes.target && fits(at),
  );
  return boundary > 0 ? boundary : pieces.length;
}

function closeChunk(state: ChunkerState, count: number, sizes: ChunkSizes): Chunk {
  const closed = state.pieces.splice(0, count);
  const chunk = toChunk(state, closed);
  state.index += 1;
  state.overlap = overlapOf(closed, sizes.overlap);
  state.overlapTokens = estimateTokens(state.overlap);
  return chunk;
}

function toChunk(state: ChunkerState, pieces: Piece[]): Chunk {
  const own = pieces.map((piece) => piece.mark + piece.text).join('');
  return {
    index: state.index,
    content: state.overlap + own,
    overlap: state.overlap.length,
    timestamp: pieces.find((piece) => piece.timestamp !== null)?.timestamp ?? null,
    ended_at: pieces.findLast((piece) => piece.timestamp !== null)?.timestamp ?? null,
    turn: pieces[0]?.turn ?? 0,
  };
}

/** The end of a chunk, to be repeated by the next: whole pieces, then the last words of another. Code blocks are not cut. */
function overlapOf(pieces: Piece[], limit: number): string {
  let text = '';
  let left = limit;
  for (const piece of pieces.toReversed()) {
    const whole = piece.mark + piece.text;
    if (piece.tokens <= left) {
      text = whole + text;
      left -= piece.tokens;
      continue;
    }
    if (!piece.fenced) text = lastWords(piece.text, left) + text;
    break;
  }
  return text;
}

/** The last words of a text, at most `limit` estimated tokens. */
function lastWords(text: string, limit: number): string {
  let from = Math.max(0, text.length - Math.floor(limit / 0.25));
  while (from < text.length && estimateTokens(text.slice(from)) > limit)
    from += Math.max(1, estimateTokens(text.slice(from)) - limit);
  if (from === 0) return text;
  const tail = text.slice(from);
  const space = tail.search(/\s/);
  const words = space < 0 || space === tail.length - 1 ? tail : tail.slice(space + 1);
  const head = words.charCodeAt(0);
  return head >= 0xdc00 && head <= 0xdfff ? words.slice(1) : words;
}

function sum(pieces: Piece[]): number {
  return pieces.reduce((total, piece) => total + piece.tokens, 0);
}

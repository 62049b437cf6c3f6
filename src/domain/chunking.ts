import type { ChunkSizes } from './model-record.ts';
import type { Role } from './session.ts';
import { splitText } from './split-text.ts';
import { estimateTokens } from './tokens.ts';

export interface ChunkMessage {
  role: Role;
  text: string;
  timestamp: string | null;
  /** Index of the turn, counted from 0. */
  turn: number;
}

/** A finished chunk. `content` begins with `overlap` characters that repeat the end of the chunk before. */
export interface Chunk {
  index: number;
  content: string;
  overlap: number;
  timestamp: string | null;
  ended_at: string | null;
  turn: number;
}

/** What a chunker must remember to go on later; plain data. */
export interface ChunkerState {
  index: number;
  overlap: string;
  overlapTokens: number;
  pieces: Piece[];
}

interface Piece {
  /** `USER: ` and the like, where a message begins. */
  mark: string;
  text: string;
  tokens: number;
  fenced: boolean;
  turn: number;
  timestamp: string | null;
}

const MARKS: Record<Role, string> = { user: 'USER: ', assistant: 'ASSISTANT: ', tool: '' };

export function emptyChunkerState(): ChunkerState {
  return { index: 0, overlap: '', overlapTokens: 0, pieces: [] };
}

/** Adds a message; returns the chunks that it finished. The result depends on the messages alone, not on how they came. */
export function addToChunks(state: ChunkerState, message: ChunkMessage, sizes: ChunkSizes): Chunk[] {
  const finished: Chunk[] = [];
  const startsTurn = message.role === 'user';
  let first = true;
  for (const stretch of splitText(`${message.text}\n`, sizes.max - sizes.overlap)) {
    const piece: Piece = {
      mark: first ? MARKS[message.role] : '',
      text: stretch.text,
      tokens: stretch.tokens,
      fenced: stretch.fenced,
      turn: message.turn,
      timestamp: message.timestamp,
    };
    const cut = whereToCut(state, piece, first && startsTurn, first, sizes);
    if (cut > 0) finished.push(closeChunk(state, cut, sizes));
    state.pieces.push(piece);
    first = false;
  }
  return finished;
}

/** The chunk that is still growing, as it would be if the session ended here; null when there is none. */
export function openChunk(state: ChunkerState): Chunk | null {
  return state.pieces.length === 0 ? null : toChunk(state, state.pieces);
}

/** What only this chunk holds, without role marks: its text for the lexical index. */
export function lexicalText(chunk: { content: string; overlap: number }): string {
  return chunk.content.slice(chunk.overlap).replace(/^(?:USER|ASSISTANT): /gm, '');
}

/** How many pieces of the open chunk to close before a piece is added; 0 for none. */
function whereToCut(
  state: ChunkerState,
  piece: Piece,
  startsTurn: boolean,
  startsMessage: boolean,
  sizes: ChunkSizes,
): number {
  const { pieces } = state;
  if (pieces.length === 0) return 0;
  const tokens = state.overlapTokens + sum(pieces);
  if (startsTurn && tokens >= sizes.min) return pieces.length;
  if (startsMessage && tokens >= sizes.target) return pieces.length;
  if (tokens + piece.tokens <= sizes.max) return 0;
  const turnStart = pieces.findIndex((other) => other.turn === piece.turn);
  const turnTokens = turnStart < 0 ? 0 : sum(pieces.slice(turnStart)) + piece.tokens;
  if (turnStart > 0 && tokens - turnTokens >= sizes.min / 2 && turnTokens + sizes.overlap <= sizes.max)
    return turnStart;
  return pieces.length;
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

/** The end of a chunk for the next one to repeat: whole pieces, then the last words of one; code blocks stay whole. */
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

function lastWords(text: string, tokens: number): string {
  const density = Math.max(0.1, estimateTokens(text) / Math.max(1, text.length));
  const from = text.length - Math.floor(tokens / density);
  if (from <= 0) return text;
  const space = text.slice(from).search(/\s/);
  const tail = space < 0 ? text.slice(from) : text.slice(from + space + 1);
  const head = tail.charCodeAt(0);
  return head >= 0xdc00 && head <= 0xdfff ? tail.slice(1) : tail;
}

function sum(pieces: Piece[]): number {
  return pieces.reduce((total, piece) => total + piece.tokens, 0);
}

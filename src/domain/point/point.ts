import type { Agent } from '../agent/agents.ts';
import type { Idea, Span } from '../session/ideas.ts';
import type { Marker, SessionRecord } from '../session/session.ts';

export type PointType = 'intent' | 'chunk' | 'idea' | 'span' | 'session' | 'archive';

interface PointBase {
  session_id: string;
  agent: Agent;
  machine: string;
  repo_id: string;
  repo_key: string | null;
}

interface TextPointBase extends PointBase {
  repo_name: string;
  /** Times of its first and last message. */
  timestamp: string | null;
  ended_at: string | null;
  /** `sha256:` of the text. */
  content_hash: string;
  chunk_index: number;
  markers: Marker[];
}

export interface IntentPayload extends TextPointBase {
  type: 'intent';
  intent_text: string;
}

export interface ChunkPayload extends TextPointBase {
  type: 'chunk';
  /** The first `overlap` characters repeat the end of the previous chunk. */
  content: string;
  overlap: number;
  /** Index of its first turn, from 0, in the session or in the subagent's conversation. */
  turn: number;
  /** Id of the subagent that the conversation belongs to; absent for the session's own. */
  subagent?: string;
}

/** See Idea. `chunk_index` is its index. */
export interface IdeaPayload extends TextPointBase, Omit<Idea, 'index' | 'isOpen' | 'timestamp'> {
  type: 'idea';
  is_open: boolean | null;
}

/** See Span. `chunk_index` is its index; `timestamp` and `ended_at` are its first and last time. */
export interface SpanPayload
  extends TextPointBase,
    Omit<Span, 'index' | 'firstTurn' | 'lastTurn' | 'firstLine' | 'lastLine' | 'started_at' | 'ended_at'> {
  type: 'span';
  first_turn: number;
  last_turn: number;
  first_line: number;
  last_line: number;
}

export interface SessionPayload extends SessionRecord {
  type: 'session';
  /** See `transcriptHash`. */
  content_hash: string;
  /** Set if the server has the transcript in its archive. Only in sessions on a server. */
  archived?: true;
}

/** Parts of the conversation. */
export type PassagePayload = IntentPayload | ChunkPayload;
/** Extracted from the conversation. */
export type MemoryPayload = IdeaPayload | SpanPayload;
/** Searched by keyword and by vector. */
export type TextPayload = PassagePayload | MemoryPayload;
export type PointPayload = TextPayload | SessionPayload;

/** `id` is a UUIDv5 (see point-id.ts). */
export interface Point<P extends PointPayload = PointPayload> {
  id: string;
  payload: P;
}

export function isMemory(payload: TextPayload): payload is MemoryPayload {
  return payload.type === 'idea' || payload.type === 'span';
}

export function pointText(payload: TextPayload): string {
  switch (payload.type) {
    case 'intent':
      return payload.intent_text;
    case 'chunk':
    case 'idea':
      return payload.content;
    case 'span':
      return `${payload.name}\n${payload.summary}`;
  }
}

/** The text by which keyword search finds an idea or a span. */
export function memoryText(payload: MemoryPayload): string {
  if (payload.type === 'span') return `${payload.name}\n${payload.summary}`;
  const { content, options = [], quote } = payload;
  return [content, ...options, ...(content.includes(quote) ? [] : [quote])].join('\n');
}

import type { Agent, Marker, SessionRecord } from '../session/session.ts';

export type PointType = 'intent' | 'chunk' | 'session' | 'archive';

interface PointBase {
  session_id: string;
  agent: Agent;
  machine: string;
  repo_id: string;
  repo_key: string | null;
}

interface TextPointBase extends PointBase {
  repo_name: string;
  /** Times of the first and the last message in it. */
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
  /** The first `overlap` characters repeat the end of the chunk before. */
  content: string;
  overlap: number;
  /** Index of the first turn in it, counted from 0 over the session, or over the subagent's conversation. */
  turn: number;
  /** The id of the subagent whose conversation it is; absent in the session's own. */
  subagent?: string;
}

export interface SessionPayload extends SessionRecord {
  type: 'session';
  /** See `transcriptHash`. */
  content_hash: string;
  /** The transcript is archived on the server. Only set in a server's sessions. */
  archived?: true;
}

export type PointPayload = IntentPayload | ChunkPayload | SessionPayload;

/** `id` is a UUIDv5 (see point-id.ts). */
export interface Point<P extends PointPayload = PointPayload> {
  id: string;
  payload: P;
}

/** The text of a point that is embedded, tokenised and hashed. */
export function pointText(payload: IntentPayload | ChunkPayload): string {
  return payload.type === 'intent' ? payload.intent_text : payload.content;
}

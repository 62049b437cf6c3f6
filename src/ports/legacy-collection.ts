import type { QueryVector } from '../domain/search/search.ts';
import type { RemoteDescription } from './remote-store.ts';

/**
 * A collection of the first, Python smart-fork: one vector of 384 dimensions without a name, texts in the payloads. It is
 * only read. Points that are not as that program made them are left out.
 */
export interface LegacyCollection {
  /** Page by page, in no particular order; of all sessions unless some are named. */
  points(what: { texts: boolean; sessionIds?: string[] }): AsyncGenerator<LegacyPoint[]>;
  /** Those that are there, with their texts. */
  get(ids: string[]): Promise<LegacyPoint[]>;
  /** Ids of all sessions. */
  sessionIds(): Promise<string[]>;
  /** By cosine, best first. */
  /** Null where the query is a text and the server does not embed it. */
  nearest(query: LegacyQuery): Promise<LegacyHit[] | null>;
  describe(): Promise<RemoteDescription>;
  close(): void;
}

export interface LegacyPoint {
  id: string;
  /** `intent`: user messages. `chunk`: the conversation, in pieces of about 4 KB: `USER: …` and `ASSISTANT: …`. */
  type: 'intent' | 'chunk';
  session_id: string;
  repo_id: string;
  repo_name: string;
  /** Intents alone say where and when. */
  repo_path: string | null;
  machine: string | null;
  /** ISO 8601. */
  timestamp: string | null;
  /** `sha256:` of the whole transcript. */
  content_hash: string | null;
  chunk_index: number;
  /** Not redacted. Null where texts were not asked for. */
  text: string | null;
}

export interface LegacyQuery {
  type: LegacyPoint['type'];
  vector: QueryVector;
  limit: number;
  /** Of all sessions unless some are named. */
  sessionIds?: string[];
}

export interface LegacyHit {
  id: string;
  session_id: string;
  score: number;
}

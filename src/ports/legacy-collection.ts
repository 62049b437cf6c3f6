/**
 * A collection of the first, Python smart-fork: one unnamed vector of 384 dimensions, texts in the payloads. It is only
 * read. Points that the Python program did not write are skipped.
 */
export interface LegacyCollection {
  /** Page by page, in no particular order; of all sessions unless some are named. */
  points(what: { texts: boolean; sessionIds?: string[] }): AsyncGenerator<LegacyPoint[]>;
  close(): void;
}

export interface LegacyPoint {
  id: string;
  /** `intent`: user messages. `chunk`: the conversation, in pieces of about 4 KB: `USER: …` and `ASSISTANT: …`. */
  type: 'intent' | 'chunk';
  session_id: string;
  repo_id: string;
  repo_name: string;
  /** Only intents have a path and a time. */
  repo_path: string | null;
  machine: string | null;
  /** ISO 8601. */
  timestamp: string | null;
  /** `sha256:` of the whole transcript. */
  content_hash: string | null;
  chunk_index: number;
  /** Not redacted. Null unless texts were requested. */
  text: string | null;
}

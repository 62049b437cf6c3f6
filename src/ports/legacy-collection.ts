/** A collection of the first, Python smart-fork: one vector of 384 dimensions without a name, texts in the payloads. */
export interface LegacyCollection {
  /** Its sessions, newest first, and how many points could not be read. */
  sessions(): Promise<{ sessions: LegacySession[]; skipped: number }>;
  /** The texts of a session, in order; both empty when it is not there. */
  read(sessionId: string): Promise<LegacyTexts>;
  close(): void;
}

export interface LegacySession {
  session_id: string;
  repo_id: string;
  repo_name: string;
  repo_path: string | null;
  machine: string | null;
  /** ISO 8601. */
  timestamp: string | null;
  /** `sha256:` of the whole transcript. */
  content_hash: string | null;
  chunks: number;
  intents: number;
}

export interface LegacyTexts {
  /** User messages. */
  intents: string[];
  /** The conversation, in pieces of about 4 KB: `USER: …` and `ASSISTANT: …`. */
  chunks: string[];
}

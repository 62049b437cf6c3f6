import type { Row } from '../records/row-format.ts';

/** A session as OpenCode stores it: its row, and its messages in order, each with its parts. */
export interface StoredSession {
  session: Row;
  messages: StoredMessage[];
  /** Parts whose message is missing. */
  strays: number;
}

export interface StoredMessage extends StoredRow {
  parts: StoredRow[];
}

export interface StoredRow {
  id: unknown;
  /** A JSON object, unless it is damaged. */
  data: string;
  /** What `data` contains; undefined if it is not JSON. */
  value: unknown;
}

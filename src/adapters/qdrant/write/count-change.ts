import type { SessionChange } from '../../../ports/point-store.ts';
import type { Connection } from '../http/connection.ts';
import type { BatchLimits } from '../options.ts';
import type { Documents } from '../schema/documents.ts';
import { countTokens, type TokenCounts } from '../schema/sparse.ts';

export interface WriteContext {
  connection: Connection;
  chunking: string;
  batches: BatchLimits;
  hash: (token: string) => number;
  /** Null if machines compute the vectors. */
  documents: Documents | null;
}

/** A change with its tokens counted. */
export interface CountedChange {
  change: SessionChange;
  /** Null: the session's lexical vector stays as it is. */
  session: TokenCounts | null;
  /** By the id of the chunk's point. */
  chunks: Map<string, TokenCounts>;
}

/** Average numbers of tokens, for computing lexical vectors. */
export interface Averages {
  session: number;
  chunk: number;
}

export function countChange(change: SessionChange, hash: (token: string) => number): CountedChange {
  const chunks = new Map<string, TokenCounts>();
  for (const { point, tokens } of change.upserts) {
    if (tokens !== null) chunks.set(point.id, countTokens(tokens, hash));
  }
  return { change, session: change.tokens === null ? null : countTokens(change.tokens, hash), chunks };
}

export function idOf(change: SessionChange): string {
  return change.session.payload.session_id;
}

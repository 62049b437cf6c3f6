import { isMemory } from '../../../domain/point/point.ts';
import type { SessionChange } from '../../../ports/point-store.ts';
import type { Connection } from '../http/connection.ts';
import type { BatchLimits } from '../options.ts';
import type { Documents } from '../schema/documents.ts';
import { countTokens, hashMemoryToken, hashToken, type TokenCounts } from '../schema/sparse.ts';

export interface WriteContext {
  connection: Connection;
  chunking: string;
  batches: BatchLimits;
  /** Null if machines compute the vectors. */
  documents: Documents | null;
}

export interface CountedChange {
  change: SessionChange;
  /** Null: the session's lexical vector stays as it is. */
  session: TokenCounts | null;
  /** By the id of the point. */
  texts: Map<string, TokenCounts>;
}

export function countChange(change: SessionChange): CountedChange {
  const texts = new Map<string, TokenCounts>();
  for (const { point, tokens } of change.upserts) {
    if (tokens !== null)
      texts.set(point.id, countTokens(tokens, isMemory(point.payload) ? hashMemoryToken : hashToken));
  }
  return { change, session: change.tokens === null ? null : countTokens(change.tokens), texts };
}

export function idOf(change: SessionChange): string {
  return change.session.payload.session_id;
}

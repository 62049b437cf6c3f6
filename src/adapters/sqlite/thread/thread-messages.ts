import type { ErrorCode } from '../../../domain/errors.ts';
import type { SessionChange } from '../../../ports/point-store.ts';
import type { UncutChange } from '../../../ports/session-writer.ts';

/** What the writing thread is started with. */
export interface ThreadStart {
  path: string;
  chunking: string;
}

/** Null ends the thread once it has done what it was asked before. */
export type ThreadRequest = { uncut: UncutChange[] } | { cut: SessionChange[] } | null;

/** Errors cross as plain data; a thrown class would not. */
export type ThreadAnswer =
  | { conflicts: string[] }
  | { failure: { code: ErrorCode; message: string; hint: string | undefined } };

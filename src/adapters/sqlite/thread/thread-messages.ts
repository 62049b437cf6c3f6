import type { ErrorCode } from '../../../domain/errors.ts';
import type { SessionChange, UntokenizedChange } from '../../../ports/point-store.ts';

/** What the thread is started with. */
export interface ThreadStart {
  path: string;
  chunking: string;
}

/** Null ends the thread after the requests before it. */
export type ThreadRequest = { uncut: UntokenizedChange[] } | { cut: SessionChange[] } | null;

/** Errors are sent as plain data: a class does not survive the crossing. */
export type ThreadAnswer =
  | { conflicts: string[] }
  | { failure: { code: ErrorCode; message: string; hint: string | undefined } };

import type { ErrorCode } from '../../../domain/errors.ts';
import type { SessionChange, UntokenizedChange } from '../../../ports/point-store.ts';

export interface ThreadStart {
  path: string;
  chunking: string;
}

/** Null ends the thread after the preceding requests. */
export type ThreadRequest = { uncut: UntokenizedChange[] } | { cut: SessionChange[] } | null;

/** Errors are sent as plain data, because class instances do not survive the transfer. */
export type ThreadAnswer =
  | { conflicts: string[] }
  | { failure: { code: ErrorCode; message: string; hint: string | undefined } };

export type ErrorCode =
  | 'CONFIG_INVALID'
  | 'USAGE'
  | 'STORE_UNAVAILABLE'
  | 'STORE_INCOMPATIBLE'
  | 'COLLECTION_MISSING'
  | 'LEGACY_COLLECTION'
  | 'MODEL_UNAVAILABLE'
  | 'MODEL_MISMATCH'
  | 'TRANSCRIPT_UNREADABLE'
  | 'SESSION_NOT_FOUND'
  | 'AGENT_MISSING';

/** The error that every front end reports. `message` says what failed and with what, `hint` what to do next. */
export class SmartForkError extends Error {
  override name = 'SmartForkError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** The server's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What failed, and what to do about it: an error that is reported, not thrown. */
export interface Problem {
  message: string;
  hint: string | null;
}

export function problemOf({ message, hint = null }: { message: string; hint?: string | null }): Problem {
  return { message, hint };
}

/** The message of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error for a cursor that no list returned. */
export function badCursor(cursor: string): SmartForkError {
  return new SmartForkError('USAGE', `invalid cursor "${cursor}"`, {
    hint: 'Pass the cursor of the previous page unchanged, or none to start with the newest session.',
  });
}

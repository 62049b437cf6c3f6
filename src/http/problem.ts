import * as z from 'zod';
import { type ErrorCode, SmartForkError } from '../domain/errors.ts';
import { sanitize } from '../domain/text/sanitize.ts';

/** An error of the HTTP interface itself, not of smart-fork: in the request or its authorization. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** RFC 9457. */
export const problemDocument = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string().describe('CONFIG_INVALID, USAGE, SESSION_NOT_FOUND and so on'),
  hint: z.string().optional().describe('what to do'),
});
type ProblemDocument = z.infer<typeof problemDocument>;

export function problemOf(error: unknown, log: (message: string) => void): ProblemDocument {
  if (error instanceof HttpProblem) return document(error.status, error.code, error.message, error.hint);
  if (error instanceof SmartForkError)
    return document(STATUS[error.code], error.code, error.message, error.hint);
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return document(500, 'INTERNAL', 'this is a bug in smart-fork', "The server's log has the details.");
}

export function problemResponse(problem: ProblemDocument): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

function document(status: number, code: string, detail: string, hint?: string): ProblemDocument {
  const title = TITLES[status] ?? 'Error';
  const text = sanitize(detail);
  return { type: 'about:blank', title, status, detail: text, code, hint };
}

const STATUS: Record<ErrorCode, number> = {
  USAGE: 400,
  SESSION_NOT_FOUND: 404,
  TRANSCRIPT_UNREADABLE: 409,
  AGENT_MISSING: 409,
  CONFIG_INVALID: 500,
  STORE_UNAVAILABLE: 503,
  STORE_INCOMPATIBLE: 503,
  COLLECTION_MISSING: 503,
  LEGACY_COLLECTION: 503,
  MODEL_UNAVAILABLE: 503,
  MODEL_MISMATCH: 503,
};

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

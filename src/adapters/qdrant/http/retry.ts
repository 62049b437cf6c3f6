import { setTimeout as wait } from 'node:timers/promises';
import type { RetrySettings } from '../options.ts';

/** The server answered with an error, or with something that is not a result. */
export class QdrantAnswerError extends Error {
  override name = 'QdrantAnswerError';
  readonly status: number;
  /** Milliseconds to wait, from the Retry-After header. */
  readonly retryAfter: number | null;

  constructor(status: number, detail: string, retryAfter: number | null) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The server sent more than the request could have asked for. */
export class AnswerTooLongError extends Error {
  override name = 'AnswerTooLongError';
  /** Bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super('the answer is too long');
    this.limit = limit;
  }
}

interface RetryPlan {
  retries: number;
  settings: RetrySettings;
  /** When to give up, as of `performance.now()`. */
  deadline: number;
  signal: AbortSignal;
}

/** Retries transient failures: a busy or failing server, a broken or slow connection. The attempt must be idempotent. */
export async function withRetries<T>(attempt: () => Promise<T>, plan: RetryPlan): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= plan.retries || plan.signal.aborted || !isTransient(error)) throw error;
      const pause = pauseAfter(error, tries, plan.settings);
      if (pause > plan.settings.longestRetryAfter || performance.now() + pause > plan.deadline) throw error;
      await wait(pause, undefined, { signal: plan.signal });
    }
  }
}

/** Whether a retry may help. A server without inference always answers 500. */
function isTransient(error: unknown): boolean {
  if (error instanceof QdrantAnswerError) {
    return (
      error.status === 429 || (error.status >= 500 && error.status !== 501 && !PERMANENT.test(error.message))
    );
  }
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** Inference is not configured, or does not accept this cluster. */
const PERMANENT = /InferenceService|Authentication failed for inference/;

/** Jitter keeps machines that failed together from retrying together. */
function pauseAfter(error: unknown, tries: number, settings: RetrySettings): number {
  const backoff = Math.min(settings.longestWait, settings.wait * 2 ** tries) * (0.5 + Math.random() / 2);
  const asked = error instanceof QdrantAnswerError ? error.retryAfter : null;
  return asked === null ? backoff : Math.max(asked, backoff);
}

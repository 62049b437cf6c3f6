/**
 * Runs work for at most `ms`, then aborts its signal and throws a TimeoutError. Aborts it with `signal` as well.
 *
 * Not AbortSignal.timeout: inside AbortSignal.any it may be garbage-collected before it fires
 * (https://github.com/nodejs/node/issues/57736), and a request would wait forever.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', follow, { once: true });
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const timer = setTimeout(() => controller.abort(late), Math.min(ms, LONGEST_TIMER_MS));
  try {
    // The work may ignore the signal.
    return await Promise.race([work(controller.signal), rejectionOf(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  }
}

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

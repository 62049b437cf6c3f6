import type { JobSpool } from '../../ports/job-spool.ts';

/** Runs `work` with a signal that is aborted together with `signal`, or as soon as a job arrives. */
export async function runUntilArrival<T>(
  spool: JobSpool,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const arrival = new AbortController();
  const abort = () => arrival.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const stopListening = spool.onArrival(abort);
  try {
    return await work(arrival.signal);
  } finally {
    stopListening();
    signal.removeEventListener('abort', abort);
  }
}

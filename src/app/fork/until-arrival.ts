import type { WorkerRun } from '../worker/worker-run.ts';

/** Runs what can be interrupted at any moment, and interrupts it as soon as there is a job. */
export async function untilArrival<T>(run: WorkerRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const arrival = new AbortController();
  const abort = () => arrival.abort();
  const stopListening = run.deps.spool.onArrival(abort);
  run.lease.signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(arrival.signal);
  } finally {
    stopListening();
    run.lease.signal.removeEventListener('abort', abort);
  }
}

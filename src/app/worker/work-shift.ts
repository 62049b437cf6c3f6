import { setTimeout as sleep } from 'node:timers/promises';
import { SmartForkError } from '../../domain/errors.ts';
import { createTasks, type Tasks } from './create-tasks.ts';
import { runUntilArrival } from './run-until-arrival.ts';
import type { Shift, WorkerIndex } from './worker-dependencies.ts';

export type Ended = 'idle' | 'drained' | 'stopped';

/** An unavailable store is retried after 1 s, 2 s … 32 s. Then the worker ends, and the next one retries. */
const FIRST_PAUSE_MS = 1000;
const MAX_STORE_FAILURES = 6;
/** How often a busy worker writes its record. */
const RECORD_EVERY_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Works until nothing is left to do and, unless draining, no job has arrived for a while. */
export async function workShift(shift: Shift): Promise<Ended> {
  for (;;) {
    const opened = await shift.open();
    try {
      const ended = await workFrom(shift, opened);
      if (ended !== 'reopen') return ended;
      shift.log.info('the store was replaced, or the settings changed');
    } finally {
      await opened.close();
    }
  }
}

async function workFrom(shift: Shift, opened: WorkerIndex): Promise<Ended | 'reopen'> {
  const { spool, log, presence } = shift;
  const recovered = spool.recover();
  if (recovered > 0) log.error('the previous worker died with unfinished jobs', { jobs: recovered });
  const tasks = createTasks(shift, opened);
  const stopWatching = await watchTranscripts(shift, opened);
  try {
    for (;;) {
      presence.beat();
      const ended = await workUntilIdle(shift, opened, tasks);
      if (ended === 'reopen') return ended;
      presence.leave();
      // A hook that wrote its job before this line saw a running worker and started none, but its job is in the spool.
      if (ended === 'stopped' || !spool.hasDue()) return ended;
    }
  } finally {
    await stopWatching();
    await tasks.end();
  }
}

async function watchTranscripts(
  { watch, spool, now, request }: Shift,
  { index, automatic }: WorkerIndex,
): Promise<() => Promise<void>> {
  if (request.until !== 'follow' || !request.watch || !automatic) return async () => undefined;
  const roots = index.sources.flatMap((source) => source.roots);
  return watch(roots, (paths) => {
    const at = new Date(now()).toISOString();
    for (const transcriptPath of paths) spool.add({ event: 'changed', transcriptPath, sessionId: null, at });
  });
}

async function workUntilIdle(shift: Shift, opened: WorkerIndex, tasks: Tasks): Promise<Ended | 'reopen'> {
  const { request, presence, signal, now } = shift;
  const { record } = presence;
  let [busyAt, recordedAt, failures] = [now(), now(), 0];
  while (!signal.aborted) {
    if (now() - recordedAt > RECORD_EVERY_MS) {
      presence.beat();
      recordedAt = now();
    }
    record.state = 'working';
    // Computed once, because the last look and the decision to end must agree on it.
    const patience = Math.max(request.idleMs - Math.abs(now() - busyAt), tasks.stayMs());
    const isTimeUp = request.until === 'drain' || (request.until === 'idle' && patience <= 0);
    try {
      if (await opened.isReplaced()) return 'reopen';
      // An agent writes a line or two after its hook, so the worker looks for changes before it ends.
      const worked = (await tasks.doNext()) || (isTimeUp && (await tasks.lookAgain()));
      failures = 0;
      if (!worked && isTimeUp) return request.until === 'drain' ? 'drained' : 'idle';
      if (!worked) await waitForWork(shift, request.until === 'idle' ? patience : LONGEST_WAIT_MS);
      else busyAt = now();
    } catch (error) {
      failures += 1;
      await waitForStore(shift, error, failures);
      busyAt = now();
    }
  }
  return 'stopped';
}

/** Waits until a job arrives, a delayed one is due, or time is up. */
async function waitForWork({ spool, signal, presence }: Shift, ms: number): Promise<void> {
  if (presence.record.state === 'working') presence.record.state = 'idle';
  presence.beat();
  const wait = Math.min(ms, LONGEST_WAIT_MS, spool.nextRetryInMs() ?? ms);
  await runUntilArrival(spool, signal, (arrival) => pause(wait, arrival));
}

/** Waits if the store is unavailable; throws any other error, and after too many failures. */
async function waitForStore({ presence, signal }: Shift, error: unknown, failures: number): Promise<void> {
  const isUnavailable = error instanceof SmartForkError && error.code === 'STORE_UNAVAILABLE';
  if (!isUnavailable || failures > MAX_STORE_FAILURES) throw error;
  const pauseMs = FIRST_PAUSE_MS * 2 ** (failures - 1);
  presence.fail('the store is unavailable', error.message, { pauseMs });
  await pause(pauseMs, signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

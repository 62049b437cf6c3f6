import { SmartForkError } from '../../domain/errors.ts';
import { endSending, quietForMs } from './send-waiting.ts';
import { lookForChanges, workStep } from './work-step.ts';
import type { WorkerReport, WorkerRun } from './worker-run.ts';

/** A store that is away is asked again after 1 s, 2 s … 32 s; then the worker ends, and the next one tries. */
const FIRST_PAUSE_MS = 1000;
const MOST_STORE_FAILURES = 6;
/** How often the record is written while there is much to do. */
const RECORD_EVERY_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Works until there is nothing left to do and, unless told otherwise, nothing comes for a while. */
export async function serveJobs(run: WorkerRun): Promise<WorkerReport> {
  const { spool, log } = run.deps;
  const recovered = spool.recover();
  if (recovered > 0) log.error('the last worker died at work', { jobs: recovered });
  const stopWatching = await watchTranscripts(run);
  try {
    for (;;) {
      run.lease.sayHere();
      const ended = await workUntilIdle(run);
      run.lease.sayGone();
      // A hook that left its job before this line saw a worker and started none: its job is here.
      const goOn = (ended === 'idle' || ended === 'drained') && spool.hasDue();
      if (!goOn) return reportOf(run, ended);
    }
  } finally {
    await stopWatching();
    await endSending(run);
  }
}

async function workUntilIdle(run: WorkerRun): Promise<WorkerReport['ended']> {
  const { request, deps, lease } = run;
  for (let recordedAt = deps.now(); ; ) {
    if (lease.replaced()) return 'replaced';
    if (lease.signal.aborted) return 'stopped';
    if (deps.now() - recordedAt > RECORD_EVERY_MS) {
      lease.sayHere();
      recordedAt = deps.now();
    }
    run.record.state = 'working';
    // Read once: what is decided before the last look and after it must not differ.
    const idleFor = Math.abs(deps.now() - run.busyAt);
    const patience = Math.max(request.idleMs - idleFor, quietForMs(run));
    const isTimeUp = request.until === 'drain' || (request.until === 'idle' && patience <= 0);
    if (await step(run, isTimeUp)) {
      run.busyAt = deps.now();
      continue;
    }
    if (isTimeUp) return request.until === 'drain' ? 'drained' : 'idle';
    if (run.record.state === 'working') run.record.state = 'idle';
    lease.sayHere();
    await waitForWork(run, request.until === 'idle' ? patience : LONGEST_WAIT_MS);
  }
}

/** What was read into the old store is missing in the new one: it is looked for again. */
async function reopen(run: WorkerRun): Promise<void> {
  run.deps.log.info('the store was made anew, or the settings changed');
  await endSending(run);
  await run.opened.close();
  run.opened = await run.deps.open();
  run.backlog = [];
  run.lookedAt = 0;
}

/**
 * One step; a store that is away costs time and nothing else. The worker that is about to end looks again after it: an
 * agent writes a line or two after its hook.
 */
async function step(run: WorkerRun, isTimeUp: boolean): Promise<boolean> {
  try {
    if (run.opened.isReplaced()) await reopen(run);
    const worked = await workStep(run);
    if (!worked && isTimeUp) await lookForChanges(run);
    run.storeFailures = 0;
    return worked || run.backlog.length > 0;
  } catch (error) {
    run.storeFailures += 1;
    const away = error instanceof SmartForkError && error.code === 'STORE_UNAVAILABLE';
    if (!away || run.storeFailures > MOST_STORE_FAILURES) throw error;
    run.record.lastError = { message: error.message, at: new Date(run.deps.now()).toISOString() };
    const pauseMs = FIRST_PAUSE_MS * 2 ** (run.storeFailures - 1);
    run.deps.log.error('the store is away', { reason: error.message, pauseMs });
    await pause(run, pauseMs);
    return true;
  }
}

/** Until a job comes, one that waits for another try is due, or time is up. */
async function waitForWork(run: WorkerRun, ms: number): Promise<void> {
  const wait = Math.min(ms, LONGEST_WAIT_MS, run.deps.spool.nextRetryInMs() ?? ms);
  const arrival = new AbortController();
  const stopListening = run.deps.spool.onArrival(() => arrival.abort());
  await pause(run, wait, arrival.signal);
  stopListening();
}

function pause(run: WorkerRun, ms: number, other?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const signals = other === undefined ? [run.lease.signal] : [run.lease.signal, other];
    const finish = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    for (const signal of signals) signal.addEventListener('abort', finish, { once: true });
    if (signals.some(({ aborted }) => aborted)) finish();
  });
}

async function watchTranscripts({ deps, request, opened }: WorkerRun): Promise<() => Promise<void>> {
  if (request.until !== 'follow' || !request.watch) return async () => undefined;
  const roots = opened.index.sources.flatMap((source) => source.roots);
  return deps.watch(roots, (paths) => {
    const at = new Date(deps.now()).toISOString();
    for (const transcriptPath of paths)
      deps.spool.add({ event: 'changed', transcriptPath, sessionId: null, at });
  });
}

function reportOf(run: WorkerRun, ended: WorkerReport['ended']): WorkerReport {
  const { waiting, failed } = run.deps.spool.counts();
  const { jobs, embedded } = run.record;
  return { ended, jobs, embedded, waiting, failed };
}

import { errorText } from '../../domain/errors.ts';
import { untilArrival } from '../fork/until-arrival.ts';
import type { DrainReport } from '../share/send/drain-outbox.ts';
import type { WorkerRun, WorkerServer } from './worker-run.ts';

/** Begins to send what waits for the server, unless it is being sent. Nothing waits for it but the worker's end. */
export function startSending(run: WorkerRun): void {
  const { server } = run.opened;
  if (server === undefined || run.sending !== null || run.lease.signal.aborted) return;
  const transcripts = run.transcriptsNow || run.request.until === 'drain';
  if (!server.isDue(transcripts)) return;
  run.transcriptsNow = false;
  run.sending = send(run, server, transcripts).finally(() => {
    run.sending = null;
  });
}

/** With nothing else to do: until what is being sent is there, or something comes. False when nothing is. */
export async function awaitSending(run: WorkerRun): Promise<boolean> {
  const { sending } = run;
  if (sending === null) return false;
  await untilArrival(run, (signal) =>
    Promise.race([
      sending,
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    ]),
  );
  return true;
}

/** How long until a transcript goes that waits for its session to be quiet: the worker stays for it. 0 when none does. */
export function quietForMs({ opened, deps }: WorkerRun): number {
  try {
    const until = opened.server?.quietUntil() ?? null;
    return until === null ? 0 : Math.max(0, until - deps.now());
  } catch (error) {
    // The next worker finds it.
    deps.log.error('cannot look for transcripts to send', { reason: errorText(error) });
    return 0;
  }
}

/** Before the stores are closed. Stopping ends the requests that are under way. */
export async function endSending(run: WorkerRun): Promise<void> {
  await run.sending;
}

async function send(run: WorkerRun, server: WorkerServer, transcripts: boolean): Promise<void> {
  const { log, now } = run.deps;
  try {
    const report = await server.send(run.lease.signal, transcripts);
    if (report !== null) note(run, report);
  } catch (error) {
    run.record.lastError = { message: errorText(error), at: new Date(now()).toISOString() };
    log.error('cannot send', { reason: errorText(error) });
  }
}

function note(run: WorkerRun, report: DrainReport): void {
  const { log, now } = run.deps;
  if (report.sent > 0) log.info('sent', { sessions: report.sent, waiting: report.waiting });
  for (const problem of [report.problem, report.vectorsRefused]) {
    if (problem === null) continue;
    run.record.lastError = { message: problem.message, at: new Date(now()).toISOString() };
    log.error('cannot send', { reason: problem.message, waiting: report.waiting });
  }
}

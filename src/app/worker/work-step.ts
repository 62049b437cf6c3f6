import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { TakenJob } from '../../ports/job-spool.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { untilArrival } from '../fork/until-arrival.ts';
import { findChangedTranscripts, indexTranscripts } from '../index/index-transcripts.ts';
import { applyPrivacyRules } from '../privacy/apply-privacy-rules.ts';
import { indexJob, type JobOutcome } from './index-job.ts';
import { keepWaiting } from './keep-waiting.ts';
import { awaitSending, startSending } from './send-waiting.ts';
import { embedOnServer, embedWaiting, isRefreshDue, refreshTokens } from './work-on-points.ts';
import type { WorkerRun } from './worker-run.ts';

/** Transcripts that are written together. */
const BATCH = 25;
const MOST_TRIES_ABSENT = 2;

/** However well hooks do. */
const LOOK_EVERY_MS = 300_000;

/** Does the most urgent thing that there is to do; false when there is nothing. */
export async function workStep(run: WorkerRun): Promise<boolean> {
  const taken = run.deps.spool.take();
  if (taken !== null) return doJob(run, taken);
  if (run.backlog.length > 0) return indexBacklog(run);
  if (Math.abs(run.deps.now() - run.lookedAt) >= LOOK_EVERY_MS) {
    await lookForChanges(run);
    return true;
  }
  if (isRefreshDue(run)) return refreshTokens(run);
  startSending(run);
  if ((await keepWaiting(run)) || (await embedWaiting(run)) || (await awaitSending(run))) return true;
  return embedOnServer(run);
}

/** Looks for transcripts that have changed without a job: hooks that are not installed, or did not get through. */
export async function lookForChanges(run: WorkerRun): Promise<void> {
  const { log, spool, now } = run.deps;
  const onProblem = (path: string, reason: string) => log.error('cannot look into', { path, reason });
  await applyPrivacyRules(run.opened.index);
  const putAside = new Map(spool.failed().map(({ job, failedAt }) => [job?.transcriptPath, failedAt]));
  const changed = await findChangedTranscripts(run.opened.index, onProblem);
  run.backlog = changed.filter(
    ({ path, mtimeMs }) =>
      mtimeMs > Date.parse(putAside.get(path) || '1970-01-01') && run.refused.get(path) !== mtimeMs,
  );
  run.lookedAt = now();
  run.shelf = null;
  if (run.backlog.length > 0) log.info('found changed transcripts', { count: run.backlog.length });
}

async function doJob(run: WorkerRun, taken: TakenJob): Promise<true> {
  const { spool, now } = run.deps;
  const started = now();
  const outcome = await indexJob(run.opened.index, taken, run.lease.signal).catch(
    async (error: unknown): Promise<JobOutcome> => {
      if (await isStoreAway(run, error)) {
        spool.giveBack(taken);
        throw error;
      }
      return { kind: 'failed', reason: errorText(error) };
    },
  );
  if (outcome.kind === 'look') await lookForChanges(run);
  if (run.lease.signal.aborted) spool.giveBack(taken);
  else settle(run, taken, outcome, now() - started);
  return true;
}

/** Whether it is the store that failed, and not one transcript that it will not take: it takes nothing at all. */
async function isStoreAway(run: WorkerRun, error: unknown): Promise<boolean> {
  if (!(error instanceof SmartForkError) || error.code === 'TRANSCRIPT_UNREADABLE') return false;
  if (error.code !== 'STORE_UNAVAILABLE') return true;
  try {
    await run.opened.index.store.write([]);
    return false;
  } catch {
    // It failed again, with nothing to write: the caller reports the first error.
    return true;
  }
}

function settle(run: WorkerRun, taken: TakenJob, outcome: JobOutcome, ms: number): void {
  const { job } = taken;
  if (outcome.kind === 'failed') failJob(run, taken, outcome.reason);
  // A session that has only just begun has no transcript; elsewhere it may come late, or the agent has deleted it.
  else if (outcome.kind === 'absent' && job.event !== 'session-start' && taken.tries < MOST_TRIES_ABSENT) {
    failJob(run, taken, 'there is no such transcript');
  } else finishJob(run, taken, outcome, ms);
}

function finishJob(run: WorkerRun, taken: TakenJob, outcome: JobOutcome, ms: number): void {
  const { job } = taken;
  const { record, deps } = run;
  deps.spool.finish(taken);
  record.jobs += 1;
  const about = { session: job.sessionId, path: job.transcriptPath, event: job.event };
  if (outcome.kind !== 'indexed') {
    deps.log.info(outcome.kind, about);
    return;
  }
  const { sessionId, path, points } = outcome;
  noteUnkept(run, path);
  run.stale ||= points > 0;
  if (job.event === 'session-end') {
    run.refreshNow = true;
    run.transcriptsNow = true;
  }
  record.lastJob = { sessionId, path, at: new Date(deps.now()).toISOString(), ms };
  deps.log.info('indexed', { ...about, session: sessionId, points, ms });
}

/** Its copy is brought up to date when the queue is empty. */
function noteUnkept(run: WorkerRun, path: string): void {
  const files = run.opened.index.sources.map((source) => source.inspect(path));
  const file = files.find((one) => one !== null);
  if (file) run.unkept = [file, ...run.unkept.filter((other) => other.path !== path)];
}

function failJob(run: WorkerRun, taken: TakenJob, reason: string): void {
  const result = run.deps.spool.fail(taken, reason);
  const path = taken.job.transcriptPath ?? taken.job.sessionId ?? taken.name;
  run.record.lastError = { message: `${path}: ${reason}`, at: new Date(run.deps.now()).toISOString() };
  const next = result === 'put aside' ? 'put aside' : `again in ${Math.round(result.retryInMs)} ms`;
  run.deps.log.error('could not index', { path, reason, next });
}

/** What fails here becomes a job, so that it is tried again and counted like any other. */
async function indexBacklog(run: WorkerRun): Promise<true> {
  const { log } = run.deps;
  const batch = run.backlog.splice(0, BATCH);
  const request = { files: batch, deferRefresh: true };
  try {
    const report = await untilArrival(run, (signal) =>
      indexTranscripts(run.opened.index, { ...request, signal }),
    );
    if (report.interrupted) run.backlog.unshift(...batch);
    run.stale ||= report.indexed > 0;
    makeJobs(run, batch, report.failed);
    log.info('indexed changed transcripts', { sessions: report.indexed, left: run.backlog.length });
  } catch (error) {
    if (await isStoreAway(run, error)) {
      run.backlog.unshift(...batch);
      throw error;
    }
    const reason = errorText(error);
    makeJobs(
      run,
      batch,
      batch.map(({ path }) => ({ path, reason })),
    );
  }
  return true;
}

function makeJobs(run: WorkerRun, batch: TranscriptFile[], failed: { path: string; reason: string }[]): void {
  const { spool, log, now } = run.deps;
  const times = new Map(batch.map(({ path, mtimeMs }) => [path, mtimeMs]));
  for (const { path, reason } of failed) {
    log.error('could not index', { path, reason });
    const mtimeMs = times.get(path);
    if (mtimeMs === undefined) continue;
    run.refused.set(path, mtimeMs);
    spool.add({
      event: 'changed',
      transcriptPath: path,
      sessionId: null,
      at: new Date(now()).toISOString(),
    });
  }
}

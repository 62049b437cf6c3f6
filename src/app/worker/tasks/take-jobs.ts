import { errorText } from '../../../domain/errors.ts';
import type { TakenJob } from '../../../ports/job-spool.ts';
import type { Task, TaskContext } from '../task.ts';
import { hasStoreFailed } from './has-store-failed.ts';
import { indexJob, type JobOutcome } from './index-job.ts';

const MAX_TRIES_ABSENT = 2;

/** Indexes the transcript that the newest job names. */
export function takeJobs(context: TaskContext): Task {
  const { spool, now, opened } = context;
  return {
    isDue: () => spool.hasDue(),
    async run(signal) {
      const taken = spool.take();
      if (taken === null) return false;
      // Hooks left it before the user turned automatic indexing off.
      if (!opened.automatic && taken.job.event !== 'changed') {
        spool.finish(taken);
        return true;
      }
      const started = now();
      const outcome = await indexJob(opened.index, taken, signal).catch(
        async (error: unknown): Promise<JobOutcome> => {
          if (await hasStoreFailed(opened.index.store, error)) {
            spool.giveBack(taken);
            throw error;
          }
          return { kind: 'failed', reason: errorText(error) };
        },
      );
      if (signal.aborted) spool.giveBack(taken);
      else close(context, taken, outcome, now() - started);
      return true;
    },
  };
}

function close(context: TaskContext, taken: TakenJob, outcome: JobOutcome, ms: number): void {
  const { job } = taken;
  if (outcome.kind === 'failed') failJob(context, taken, outcome.reason);
  // A new session has no transcript yet. After any other event, it may be late or deleted, which is no error.
  else if (outcome.kind === 'absent' && job.event !== 'session-start' && taken.tries < MAX_TRIES_ABSENT) {
    context.spool.fail(taken, 'transcript not found');
  } else finishJob(context, taken, outcome, ms);
}

function failJob({ spool, presence }: TaskContext, taken: TakenJob, reason: string): void {
  const result = spool.fail(taken, reason);
  const path = taken.job.transcriptPath ?? taken.job.sessionId ?? taken.name;
  const next = result === 'put aside' ? 'put aside' : `again in ${Math.round(result.retryInMs)} ms`;
  presence.fail('could not index', `${path}: ${reason}`, { next });
}

function finishJob(context: TaskContext, taken: TakenJob, outcome: JobOutcome, ms: number): void {
  const { spool, log, now, tell } = context;
  const { record } = context.presence;
  const { job } = taken;
  spool.finish(taken);
  record.jobs += 1;
  const about = { session: job.sessionId, path: job.transcriptPath, event: job.event };
  if (outcome.kind !== 'indexed') {
    if (outcome.kind === 'look') tell({ kind: 'anything changed' });
    log.info(outcome.kind, about);
    return;
  }
  const { sessionId, path, points } = outcome;
  tell({ kind: 'indexed', path, grew: points > 0, sessionEnded: job.event === 'session-end' });
  record.lastJob = { sessionId, path, at: new Date(now()).toISOString(), ms };
  log.info('indexed', { ...about, session: sessionId, points, ms });
}

import { errorText } from '../../domain/errors.ts';
import { type KeptLease, keepLease, takeLease } from './hold-lease.ts';
import { serveJobs } from './serve-jobs.ts';
import type { WorkerDependencies, WorkerReport, WorkerRequest, WorkerRun } from './worker-run.ts';

/**
 * The machine's one worker: indexes what hooks have left, newest first; then what has changed without a hook; then embeds,
 * and lets itself be interrupted by the next job. Whatever it is interrupted by, kill -9 included, nothing is lost:
 * jobs are files, the store's session points are commit marks.
 * @throws SmartForkError STORE_UNAVAILABLE when the store stays away, STORE_INCOMPATIBLE.
 */
export async function runWorker(deps: WorkerDependencies, request: WorkerRequest): Promise<WorkerReport> {
  const lease = (await takeLease(deps, request.signal)) ? keepLease(deps, request.signal) : null;
  if (lease === null) {
    deps.records.started();
    const { waiting, failed } = deps.spool.counts();
    return { ended: 'busy', jobs: 0, embedded: 0, waiting, failed };
  }
  try {
    return await openAndServe(deps, request, lease);
  } catch (error) {
    lease.record.lastError = { message: errorText(error), at: new Date(deps.now()).toISOString() };
    deps.log.error('the worker failed', { reason: errorText(error) });
    throw error;
  } finally {
    lease.giveUp();
  }
}

async function openAndServe(
  deps: WorkerDependencies,
  request: WorkerRequest,
  lease: KeptLease,
): Promise<WorkerReport> {
  const run: WorkerRun = {
    deps,
    request,
    opened: await deps.open(),
    lease,
    record: lease.record,
    backlog: [],
    refused: new Map(),
    // An earlier worker may have left some.
    stale: true,
    refreshNow: false,
    shelf: null,
    unkept: [],
    canKeep: true,
    canEmbed: true,
    lookedAt: 0,
    busyAt: deps.now(),
    storeFailures: 0,
    sending: null,
    transcriptsNow: false,
  };
  try {
    return await serveJobs(run);
  } finally {
    await run.opened.close();
  }
}

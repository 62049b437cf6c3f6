import { errorText } from '../../domain/errors.ts';
import type { WorkerRecord } from '../../ports/job-spool.ts';
import { withLease } from '../../ports/lease.ts';
import { type Ended, workShift } from './work-shift.ts';
import type { Presence, Shift, WorkerDependencies, WorkerRequest } from './worker-dependencies.ts';

export interface WorkerReport {
  /** `busy`: another worker holds the lease; `replaced`: another worker took it over. */
  ended: Ended | 'busy' | 'replaced';
  jobs: number;
  embedded: number;
  /** Jobs left in the spool: they are waiting for a retry, or came too late. */
  waiting: number;
  /** Jobs that were set aside, by this run and earlier ones. */
  failed: number;
}

/** How long a worker may hold the lease after its record says that it has ended. */
const LEAVING_MS = 3000;

/**
 * Runs this machine's worker. Interrupting it, even by kill -9, loses nothing: jobs are files, and the store's session points are
 * commit markers.
 * @throws SmartForkError STORE_UNAVAILABLE if the store stays unavailable, STORE_INCOMPATIBLE.
 */
export async function runWorker(deps: WorkerDependencies, request: WorkerRequest): Promise<WorkerReport> {
  const { lease, records, spool, log } = deps;
  let presence: Presence | null = null;
  const options = {
    signal: request.signal,
    waitMs: LEAVING_MS,
    keepWaiting: (holder: { pid: number } | null) => holder === null || records.read()?.pid !== holder.pid,
    // Hooks ignore an outdated record.
    onRenewed: () => (presence?.record.pid == null ? undefined : presence.beat()),
    onError: (what: string, error: unknown) => log.error(`cannot ${what}`, { reason: errorText(error) }),
  };
  try {
    const done = await withLease(lease, options, async ({ signal, isLost }) => {
      presence = createPresence(deps, isLost);
      const ended = await workLogged({ ...deps, request, presence, signal });
      if (isLost()) log.error('another worker took over');
      const { jobs, embedded } = presence.record;
      return { ended: isLost() ? ('replaced' as const) : ended, jobs, embedded };
    });
    const { waiting, failed } = spool.counts();
    return { ...(done ?? { ended: 'busy', jobs: 0, embedded: 0 }), waiting, failed };
  } finally {
    records.started();
  }
}

async function workLogged(shift: Shift): Promise<Ended> {
  const { log, pid, presence } = shift;
  const { record } = presence;
  log.info('the worker starts', { pid });
  try {
    return await workShift(shift);
  } catch (error) {
    presence.fail('the worker failed', errorText(error));
    throw error;
  } finally {
    record.state = 'ended';
    presence.leave();
    log.info('the worker ends', { jobs: record.jobs, embedded: record.embedded });
  }
}

/** @param isReplaced whether another worker has taken over: the record then belongs to that worker and is not written. */
function createPresence(deps: WorkerDependencies, isReplaced: () => boolean): Presence {
  const { records, log, pid, now } = deps;
  const record = newRecord(deps);
  const write = (owner: number | null) => {
    record.pid = owner;
    try {
      if (!isReplaced()) records.write(record);
    } catch (error) {
      // A full disk does not stop the worker.
      log.error('cannot write the record', { reason: errorText(error) });
    }
  };
  return {
    record,
    beat() {
      write(pid);
      records.started();
    },
    leave: () => write(null),
    fail(what, reason, fields) {
      record.lastError = { message: reason, at: new Date(now()).toISOString() };
      log.error(what, { reason, ...fields });
    },
  };
}

function newRecord({ records, now }: WorkerDependencies): WorkerRecord {
  const last = records.read();
  return {
    pid: null,
    since: new Date(now()).toISOString(),
    state: 'working',
    lastJob: last?.lastJob ?? null,
    lastError: last?.lastError ?? null,
    jobs: 0,
    embedded: 0,
    refreshedAt: last?.refreshedAt ?? null,
    helpedAt: last?.helpedAt ?? null,
  };
}

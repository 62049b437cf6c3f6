import { errorText } from '../../domain/errors.ts';
import type { WorkerRecord } from '../../ports/job-spool.ts';
import type { Presence, WorkerDependencies } from './worker-dependencies.ts';

/** @param isReplaced whether another worker has taken over: the record then belongs to that worker and is not written. */
export function createPresence(deps: WorkerDependencies, isReplaced: () => boolean): Presence {
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

import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../domain/errors.ts';
import type { WorkerRecord } from '../../ports/job-spool.ts';
import { RENEW_EVERY_MS } from '../../ports/lease.ts';
import type { WorkerDependencies } from './worker-run.ts';

/** How long a worker that is ending may still hold the lease. */
const LEAVING_MS = 3000;
const ASK_EVERY_MS = 50;

/** The lease while it is held, and the record that says so. */
export interface KeptLease {
  record: WorkerRecord;
  /** Aborted when the worker is to stop: it was told to, or another one has the lease. */
  signal: AbortSignal;
  replaced(): boolean;
  /** Writes the record: what a hook reads that asks whether there is a worker. */
  sayHere(): void;
  sayGone(): void;
  giveUp(): void;
}

/** False when another worker is at work; one that has said that it is leaving is waited for. */
export async function takeLease(
  { lease, records, now }: WorkerDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  for (const until = now() + LEAVING_MS; ; await sleep(ASK_EVERY_MS)) {
    if (lease.acquire()) return true;
    const holder = lease.holder();
    const isHere = holder !== null && records.read()?.pid === holder.pid;
    if (isHere || signal.aborted || now() >= until) return false;
  }
}

/** Renews the lease until it is given up. */
export function keepLease(deps: WorkerDependencies, signal: AbortSignal): KeptLease {
  const { lease, records, log } = deps;
  const stop = new AbortController();
  const abort = () => stop.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const record = newRecord(deps);
  let replaced = false;
  const write = (pid: number | null) => {
    record.pid = pid;
    if (!replaced) attempt(deps, 'write the record', () => records.write(record));
  };
  const renew = () => {
    attempt(deps, 'renew the lease', () => {
      replaced ||= !lease.renew();
    });
    if (replaced) {
      log.error('another worker took over');
      stop.abort();
    } else if (record.pid !== null) write(deps.pid);
  };
  const timer = setInterval(renew, RENEW_EVERY_MS);
  log.info('the worker starts', { pid: deps.pid });
  return {
    record,
    signal: stop.signal,
    replaced: () => replaced,
    sayHere() {
      write(deps.pid);
      records.started();
    },
    sayGone: () => write(null),
    giveUp() {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
      record.state = 'ended';
      write(null);
      attempt(deps, 'release the lease', () => lease.release());
      records.started();
      log.info('the worker ends', { jobs: record.jobs, embedded: record.embedded });
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

/** A full disk or a locked database is no reason to drop what is being worked on: the lease holds for a minute. */
function attempt({ log }: WorkerDependencies, what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    log.error(`cannot ${what}`, { reason: errorText(error) });
  }
}

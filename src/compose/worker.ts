import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openFileSpool } from '../adapters/spool/file-spool.ts';
import { createWorkerRecordFile } from '../adapters/spool/worker-record-file.ts';
import { isProcessAlive } from '../adapters/system/is-process-alive.ts';
import { makeFolder } from '../adapters/system/make-folder.ts';
import { isOnBattery, lowerPriority } from '../adapters/system/power.ts';
import { embedForOthers } from '../app/share/embed/embed-for-others.ts';
import { runWorker, type WorkerReport } from '../app/worker/run-worker.ts';
import type { WorkerIndex, WorkerRequest, WorkerServer } from '../app/worker/worker-dependencies.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { settingsStamp } from '../config/files.ts';
import type { Job } from '../domain/machine/job.ts';
import type { WorkerStatus } from '../operations/reports.ts';
import type { ErrorLog } from '../ports/error-log.ts';
import { extractorDependencies } from './extractor/extractor.ts';
import { archiveDependencies, compose, type Parts, sendChanges } from './parts.ts';
import type { Sharing } from './server.ts';

interface WorkerSettings extends Omit<WorkerRequest, 'idleMs' | 'watch'> {
  home: string;
  /** This computer's name; see LeaseOptions. */
  host: string;
  /** Default: 30 seconds. */
  idleMs?: number;
  watch?: boolean;
  /** Default: true. */
  lowPriority?: boolean;
  /** Null: no logs are written. */
  errors: ErrorLog | null;
  /** Called once the worker has the lease. */
  open(): Promise<WorkerIndex>;
}

const IDLE_MS = 30_000;

/**
 * Runs this process as the machine's worker, at low priority.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export async function runWorkerProcess(settings: WorkerSettings): Promise<WorkerReport> {
  const {
    home,
    host,
    idleMs = IDLE_MS,
    watch = false,
    lowPriority = true,
    open,
    until,
    signal,
    errors,
  } = settings;
  if (lowPriority) lowerPriority();
  makeFolder(home);
  const [{ openSqliteLease }, { openRotatingLog }, { NO_LOG, withErrors }] = await Promise.all([
    import('../adapters/sqlite/state/sqlite-lease.ts'),
    import('../adapters/log/rotating-log.ts'),
    import('../adapters/log/error-log.ts'),
  ]);
  const log = errors === null ? NO_LOG : withErrors(openRotatingLog(join(home, 'logs'), 'indexing'), errors);
  const now = () => Date.now();
  const spool = openFileSpool({ folder: join(home, 'spool'), now });
  const lease = openSqliteLease({
    path: join(home, 'state.db'),
    name: 'worker',
    pid: process.pid,
    host,
    now,
  });
  const records = createWorkerRecordFile(home);
  const parts = { lease, spool, records, log, open, now, pid: process.pid, onBattery: () => isOnBattery() };
  try {
    return await runWorker({ ...parts, watch: watchLazily }, { until, idleMs, watch, signal });
  } finally {
    spool.close();
    lease.close();
    await log.close();
  }
}

/** Opens the parts for the worker. Every call reads the settings again: the worker may have waited for the lease. */
export function workerOpening({ home }: Config, load = () => loadConfig()): () => Promise<WorkerIndex> {
  return async () => {
    // A change while they are read is noticed as well.
    const stamp = settingsStamp(home);
    return openWorkerIndex(await compose(await load()), stamp);
  };
}

/** Closing the result closes the parts. */
export async function openWorkerIndex(
  parts: Parts,
  stamp = settingsStamp(parts.config.home),
): Promise<WorkerIndex> {
  const sharing = await parts.sharing();
  const index = await parts.indexing();
  const extractor = await extractorDependencies(parts, index);
  return {
    index,
    extractor: extractor ?? undefined,
    server: sharing === null ? undefined : workerServer(parts, sharing),
    archiving: await archiveDependencies(parts),
    embedding: parts.embedding,
    automatic: parts.config.autoIndex,
    batch: parts.config.embedding.batch,
    // So that a new privacy rule takes effect at once, and not with the next worker.
    isReplaced: async () =>
      settingsStamp(parts.config.home) !== stamp || (await parts.localFile.isReplaced()),
    close: () => parts.close(),
  };
}

function workerServer(parts: Parts, sharing: Sharing): WorkerServer {
  return {
    isDue: (transcripts) => sharing.isDue(transcripts),
    nextTranscriptAt: () => sharing.deferredUntil(),
    async send(signal, transcripts) {
      const { abort } = sharing;
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await sendChanges(parts, { signal, transcripts });
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    embed: parts.config.embedding.forOthers
      ? async (embedder, options) => {
          const remote = await sharing.remote();
          return embedForOthers({ remote, embedder, now: parts.machine.now }, options);
        }
      : undefined,
  };
}

export function queueJob(home: string, job: Job): void {
  const spool = openFileSpool({ folder: join(home, 'spool'), now: () => Date.now() });
  spool.add(job);
  spool.close();
}

/** For `smart-fork status` and `doctor`. Opens no database and starts no process. */
export function readWorkerStatus(home: string): WorkerStatus {
  const record = createWorkerRecordFile(home).read();
  const folder = join(home, 'spool');
  if (record === null && !existsSync(folder)) {
    return { running: false, record, waiting: 0, delayed: 0, failed: 0, failures: [] };
  }
  const spool = openFileSpool({ folder, now: () => Date.now() });
  const running = record !== null && record.pid !== null && isProcessAlive(record.pid);
  return { running, record, ...spool.counts(), failures: spool.failed() };
}

async function watchLazily(roots: string[], listener: (paths: string[]) => void) {
  const { watchTranscripts } = await import('../adapters/watch/watch-transcripts.ts');
  return watchTranscripts(roots, listener);
}

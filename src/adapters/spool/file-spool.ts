import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../../domain/job.ts';
import type { JobSpool, TakenJob } from '../../ports/job-spool.ts';
import { openFailedJobs } from './failed-jobs.ts';
import { readJobFile } from './read-job-file.ts';
import { openRetryNotes, type RetryNote } from './retry-notes.ts';
import { watchFolder } from './watch-folder.ts';
import { writeJobFile } from './write-job-file.ts';

export interface SpoolOptions {
  folder: string;
  now: () => number;
  /** Between 0 and 1. */
  random?: () => number;
}

const MOST_TRIES = 5;
const FIRST_RETRY_MS = 2000;
/** 2 s, 6 s, 18 s, 54 s, each shortened by up to half so that jobs which failed together don't come back together. */
const RETRY_FACTOR = 3;
/** A hook that was killed while writing leaves its file behind. */
const LEFTOVER_MS = 3_600_000;

/**
 * The spool as a folder: `<name>.json` waits, `taken/` is being worked on, `retry/` remembers tries, `failed/` was put aside.
 */
export function openFileSpool({ folder, now, random = Math.random }: SpoolOptions): JobSpool {
  for (const part of ['taken', 'retry', 'failed'])
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  const retries = openRetryNotes(join(folder, 'retry'));
  const failures = openFailedJobs(join(folder, 'failed'));
  const waitingPath = (name: string) => join(folder, `${name}.json`);
  const takenPath = (name: string) => join(folder, 'taken', `${name}.json`);
  const stops = new Set<() => void>();

  const due = () => {
    const notes = retries.all();
    return listWaiting(folder).filter(({ name }) => (notes.get(name)?.notBefore ?? 0) <= now());
  };
  const triesOf = (name: string) =>
    retries.all().get(name)?.tries ?? (failures.has(name) ? MOST_TRIES - 1 : 0);
  const putBack = (name: string) => {
    if (existsSync(waitingPath(name))) rmSync(takenPath(name), { force: true, recursive: true });
    else renameSync(takenPath(name), waitingPath(name));
  };
  const putAside = (name: string, job: Job | null, reason: string, tries: number) => {
    failures.put({ name, job, reason, tries, failedAt: new Date(now()).toISOString() });
    retries.remove(name);
    rmSync(takenPath(name), { force: true, recursive: true });
  };
  const fail = ({ name, job, tries }: TakenJob, reason: string) => {
    const count = tries + 1;
    if (count >= MOST_TRIES) {
      putAside(name, job, reason, count);
      return 'put aside' as const;
    }
    const retryInMs = FIRST_RETRY_MS * RETRY_FACTOR ** tries * (1 - random() / 2);
    retries.put(name, { tries: count, notBefore: now() + retryInMs });
    putBack(name);
    return { retryInMs };
  };

  return {
    add: (job) => writeJobFile(folder, job),
    take() {
      for (const { name } of due()) {
        if (!take(waitingPath(name), takenPath(name))) continue;
        const read = readJobFile(takenPath(name));
        if (read.job !== null) return { name, job: read.job, tries: triesOf(name) };
        putAside(name, null, read.reason, 1);
      }
      return null;
    },
    finish({ name, tries }) {
      rmSync(takenPath(name), { force: true });
      if (tries === 0) return;
      retries.remove(name);
      failures.remove(name);
    },
    fail,
    giveBack: ({ name }) => putBack(name),
    recover() {
      const names = listNames(join(folder, 'taken'));
      for (const name of names) {
        const read = readJobFile(takenPath(name));
        const taken = { name, job: read.job, tries: triesOf(name) };
        if (taken.job === null) putAside(name, null, 'not a job', 1);
        else fail({ ...taken, job: taken.job }, 'the worker died while it was working on this');
      }
      removeLeftovers(folder, now());
      return names.length;
    },
    hasDue: () => due().length > 0,
    nextRetryInMs() {
      const waiting = new Set(listNames(folder));
      const times = [...retries.all()].flatMap(([name, note]) => (waiting.has(name) ? [note.notBefore] : []));
      return times.length === 0 ? null : Math.max(0, Math.min(...times) - now());
    },
    counts() {
      const waiting = listNames(folder);
      const notes = retries.all();
      const delayed = waiting.filter((name) => isDelayed(notes.get(name), now())).length;
      return { waiting: waiting.length, delayed, failed: failures.count() };
    },
    failed: () => failures.all(),
    onArrival(listener) {
      const stop = watchFolder(folder, () => {
        if (due().length > 0) listener();
      });
      if (due().length > 0) listener();
      stops.add(stop);
      return () => {
        stops.delete(stop);
        stop();
      };
    },
    close() {
      for (const stop of stops) stop();
      stops.clear();
    },
  };
}

function isDelayed(note: RetryNote | undefined, now: number): boolean {
  return note !== undefined && note.notBefore > now;
}

/** Newest first. */
function listWaiting(folder: string): { name: string; mtimeMs: number }[] {
  return listNames(folder)
    .map((name) => ({ name, mtimeMs: modifiedAt(join(folder, `${name}.json`)) }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
}

function listNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => name.slice(0, -'.json'.length));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** False when somebody else took it away. */
function take(from: string, to: string): boolean {
  try {
    rmSync(to, { force: true, recursive: true });
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

function removeLeftovers(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.tmp') && now - modifiedAt(path) > LEFTOVER_MS) rmSync(path, { force: true });
  }
}

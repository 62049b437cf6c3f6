import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isPast } from '../../domain/machine/is-past.ts';
import type { Job } from '../../domain/machine/job.ts';
import type { FailedJob, JobSpool, SpoolCounts, TakenJob } from '../../ports/job-spool.ts';
import { hasCode } from '../system/has-code.ts';
import { makeFolder } from '../system/make-folder.ts';
import { type JsonFiles, openJsonFiles } from './json-files.ts';
import { jobSchema, readJobFile } from './read-job-file.ts';
import { watchFolder } from './watch-folder.ts';
import { writeJobFile } from './write-job-file.ts';

interface SpoolOptions {
  folder: string;
  now: () => number;
  /** Between 0 and 1. */
  random?: () => number;
}

const MAX_TRIES = 5;
const FIRST_RETRY_MS = 2000;
/** 2 s, 6 s, 18 s, 54 s, each shortened at random by up to half, so that jobs that failed together are not retried together. */
const RETRY_FACTOR = 3;
const LONGEST_RETRY_MS = FIRST_RETRY_MS * RETRY_FACTOR ** (MAX_TRIES - 2);
/** A hook killed while writing leaves a temporary file behind. */
const LEFTOVER_MS = 3_600_000;
const DIED = 'the worker died while processing this job';

const retrySchema = z.object({
  tries: z.number().int().min(0),
  /** Milliseconds since the epoch. */
  notBefore: z.number(),
});
const failedSchema = z.object({
  job: jobSchema.nullable(),
  reason: z.string(),
  tries: z.number(),
  failedAt: z.string(),
});

/**
 * The spool as a folder: `<name>.json` is a waiting job, `taken/` has the jobs in progress, `retry/` counts attempts, `failed/` has
 * the jobs that were given up.
 */
export function openFileSpool(options: SpoolOptions): JobSpool {
  for (const part of ['taken', 'retry', 'failed']) {
    makeFolder(join(options.folder, part));
  }
  return new FileSpool(options);
}

class FileSpool implements JobSpool {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #retries: JsonFiles<z.infer<typeof retrySchema>>;
  readonly #failures: JsonFiles<Omit<FailedJob, 'name'>>;
  readonly #stops = new Set<() => void>();

  constructor({ folder, now, random = Math.random }: SpoolOptions) {
    this.#folder = folder;
    this.#now = now;
    this.#random = random;
    this.#retries = openJsonFiles(join(folder, 'retry'), retrySchema);
    this.#failures = openJsonFiles(join(folder, 'failed'), failedSchema);
  }

  add(job: Job): void {
    writeJobFile(this.#folder, job);
  }

  take(): TakenJob | null {
    for (const name of this.#due()) {
      if (!move(this.#waiting(name), this.#taken(name))) continue;
      const read = readJobFile(this.#taken(name));
      if (read.job !== null) return { name, job: read.job, tries: this.#triesOf(name) };
      this.#putAside(name, null, read.reason, 1);
    }
    return null;
  }

  finish({ name, tries }: TakenJob): void {
    rmSync(this.#taken(name), { force: true });
    if (tries === 0) return;
    this.#retries.remove(name);
    this.#failures.remove(name);
  }

  fail(taken: TakenJob, reason: string): { retryInMs: number } | 'put aside' {
    return this.#retry(taken, reason, FIRST_RETRY_MS * RETRY_FACTOR ** taken.tries);
  }

  giveBack({ name }: TakenJob): void {
    if (existsSync(this.#waiting(name))) rmSync(this.#taken(name), { force: true });
    else renameSync(this.#taken(name), this.#waiting(name));
  }

  recover(): number {
    const names = listNames(join(this.#folder, 'taken'));
    for (const name of names) {
      const { job } = readJobFile(this.#taken(name));
      const tries = this.#triesOf(name);
      if (job === null) this.#putAside(name, null, 'not a job', 1);
      // One dead worker is hardly this job's fault: the first time, the job is due at once.
      else
        this.#retry(
          { name, job, tries },
          DIED,
          tries === 0 ? 0 : FIRST_RETRY_MS * RETRY_FACTOR ** (tries - 1),
        );
    }
    removeLeftovers(this.#folder, this.#now());
    return names.length;
  }

  hasDue(): boolean {
    return this.#due().length > 0;
  }

  nextRetryInMs(): number | null {
    const waiting = new Set(listNames(this.#folder));
    const times = [...this.#retries.all()].flatMap(([name, note]) =>
      waiting.has(name) ? [note.notBefore] : [],
    );
    return times.length === 0 ? null : Math.max(0, Math.min(...times) - this.#now());
  }

  counts(): SpoolCounts {
    const waiting = listNames(this.#folder).length;
    return { waiting, delayed: waiting - this.#due().length, failed: this.#failures.names().length };
  }

  failed(): FailedJob[] {
    const known = this.#failures.all();
    // List unreadable files too.
    const unknown = { job: null, reason: 'unknown', tries: 0, failedAt: '' };
    return this.#failures.names().map((name) => ({ name, ...(known.get(name) ?? unknown) }));
  }

  onArrival(listener: () => void): () => void {
    const tell = () => {
      if (this.hasDue()) listener();
    };
    const stopWatching = watchFolder(this.#folder, tell);
    const stop = () => {
      this.#stops.delete(stop);
      stopWatching();
    };
    this.#stops.add(stop);
    tell();
    return stop;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #retry(
    { name, job, tries }: TakenJob,
    reason: string,
    delayMs: number,
  ): { retryInMs: number } | 'put aside' {
    const count = tries + 1;
    if (count >= MAX_TRIES) {
      this.#putAside(name, job, reason, count);
      return 'put aside';
    }
    const retryInMs = delayMs * (1 - this.#random() / 2);
    this.#retries.put(name, { tries: count, notBefore: this.#now() + retryInMs });
    this.giveBack({ name, job, tries });
    return { retryInMs };
  }

  #putAside(name: string, job: Job | null, reason: string, tries: number): void {
    this.#failures.put(name, { job, reason, tries, failedAt: new Date(this.#now()).toISOString() });
    this.#retries.remove(name);
    rmSync(this.#taken(name), { force: true, recursive: true });
  }

  /** A new job for a transcript whose last job was given up has one attempt left. */
  #triesOf(name: string): number {
    return (
      this.#retries.all().get(name)?.tries ?? (this.#failures.names().includes(name) ? MAX_TRIES - 1 : 0)
    );
  }

  /** Names of the jobs that may be taken now, newest first. */
  #due(): string[] {
    const names = listNames(this.#folder);
    if (names.length === 0) return [];
    const notes = this.#retries.all();
    const now = this.#now();
    return names
      .filter((name) => isPast(notes.get(name)?.notBefore ?? 0, now, LONGEST_RETRY_MS))
      .map((name) => ({ name, mtimeMs: modifiedAt(this.#waiting(name)) }))
      .sort((a, b) => b.mtimeMs - a.mtimeMs)
      .map(({ name }) => name);
  }

  #waiting(name: string): string {
    return join(this.#folder, `${name}.json`);
  }

  #taken(name: string): string {
    return join(this.#folder, 'taken', `${name}.json`);
  }
}

function listNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
    .map(({ name }) => name.slice(0, -'.json'.length));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** False if another process took it. */
function move(from: string, to: string): boolean {
  try {
    rmSync(to, { force: true, recursive: true });
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function removeLeftovers(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.tmp') && now - modifiedAt(path) > LEFTOVER_MS) rmSync(path, { force: true });
  }
}

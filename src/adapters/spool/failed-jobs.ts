import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { JOB_EVENTS } from '../../domain/machine/job.ts';
import type { FailedJob } from '../../ports/job-spool.ts';
import { writeSafely } from './write-safely.ts';

/** Jobs that were put aside, a file for each, with the reason. */
export interface FailedJobs {
  has(name: string): boolean;
  all(): FailedJob[];
  put(failed: FailedJob): void;
  remove(name: string): void;
  count(): number;
}

const failedSchema = z.object({
  job: z
    .object({
      event: z.enum(JOB_EVENTS),
      transcriptPath: z.string().nullable(),
      sessionId: z.string().nullable(),
      at: z.string(),
    })
    .nullable(),
  reason: z.string(),
  tries: z.number(),
  failedAt: z.string(),
});

export function openFailedJobs(folder: string): FailedJobs {
  const names = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
  return {
    has: (name) => names().includes(name),
    all: () => names().map((name) => ({ name, ...readFailed(join(folder, `${name}.json`)) })),
    put: ({ name, ...failed }) => writeSafely(join(folder, `${name}.json`), JSON.stringify(failed)),
    remove: (name) => rmSync(join(folder, `${name}.json`), { force: true }),
    count: () => names().length,
  };
}

function readFailed(path: string): Omit<FailedJob, 'name'> {
  try {
    return failedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Somebody else's file, or half of one: still shown, since something lies there.
    return { job: null, reason: 'unknown', tries: 0, failedAt: '' };
  }
}

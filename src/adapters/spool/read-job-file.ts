import { lstatSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { errorText } from '../../domain/errors.ts';
import { JOB_EVENTS, type Job } from '../../domain/machine/job.ts';
import { OUR_WORDS, schemaProblems } from '../../domain/text/schema-problems.ts';

const MAX_BYTES = 64 * 1024;

export const jobSchema = z.object({
  event: z.enum(JOB_EVENTS).catch('changed'),
  transcriptPath: z.string().min(1).nullable(),
  sessionId: z.string().min(1).nullable(),
  at: z.string(),
});

/** The job in a file, or why it contains none. Never throws: the spool may contain any file. */
export function readJobFile(path: string): { job: Job } | { job: null; reason: string } {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_BYTES) return { job: null, reason: 'not a job file' };
    const parsed = jobSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')), OUR_WORDS);
    return parsed.success ? { job: parsed.data } : { job: null, reason: schemaProblems(parsed.error) };
  } catch (error) {
    return { job: null, reason: errorText(error) };
  }
}

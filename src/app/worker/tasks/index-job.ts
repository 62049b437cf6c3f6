import type { TakenJob } from '../../../ports/job-spool.ts';
import { type IndexDependencies, indexTranscripts } from '../../index/index-transcripts.ts';
import { findJobFile } from './find-job-file.ts';

export type JobOutcome =
  | { kind: 'indexed'; sessionId: string; path: string; points: number }
  | { kind: 'failed'; reason: string }
  | { kind: 'absent' }
  /** The job names no transcript: look everywhere. */
  | { kind: 'look' };

/**
 * Indexes what was appended to the transcript that a job names.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE. A faulty transcript is an outcome, not an error.
 */
export async function indexJob(
  deps: IndexDependencies,
  { job }: TakenJob,
  signal?: AbortSignal,
): Promise<JobOutcome> {
  if (job.transcriptPath === null && job.sessionId === null) return { kind: 'look' };
  const file = findJobFile(deps.sources, job);
  if (file === null) return { kind: 'absent' };
  const request = { files: [file], deferRefresh: true, ...(signal && { signal }) };
  const report = await indexTranscripts(deps, request);
  const failure = report.failed.find(({ path }) => path === file.path);
  if (failure !== undefined) return { kind: 'failed', reason: failure.reason };
  return { kind: 'indexed', sessionId: file.sessionId, path: file.path, points: report.points };
}

import type { Job } from '../../../domain/machine/job.ts';
import type { TakenJob } from '../../../ports/job-spool.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';
import { type IndexDependencies, indexTranscripts } from '../../index/index-transcripts.ts';

export type JobOutcome =
  | { kind: 'indexed'; sessionId: string; path: string; points: number }
  | { kind: 'failed'; reason: string }
  | { kind: 'absent' }
  /** The job does not name a transcript, so all must be checked. */
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
  const request = { files: [file], deferRefresh: true, signal };
  const report = await indexTranscripts(deps, request);
  const failure = report.failed.find(({ path }) => path === file.path);
  if (failure !== undefined) return { kind: 'failed', reason: failure.reason };
  return { kind: 'indexed', sessionId: file.sessionId, path: file.path, points: report.points };
}

/**
 * The transcript that a job names; null if it is not written yet, or deleted. If the path leads nowhere, or to a subagent's file, the
 * session is found by its id.
 */
function findJobFile(sources: TranscriptSource[], job: Job): TranscriptFile | null {
  const named = job.transcriptPath === null ? null : inspect(sources, job.transcriptPath);
  const sessionId = named?.sessionId ?? job.sessionId;
  if (sessionId === null) return named;
  // An agent may have moved or copied the session; the longest transcript is taken.
  const asked = sources.filter(({ agent }) => named === null || agent === named.agent);
  for (const source of asked) {
    const path = source.locate(sessionId);
    const located = path === null ? null : source.inspect(path);
    if (located !== null && located.size > (named?.size ?? -1)) return located;
  }
  return named;
}

/** Asks the agent that owns the folder; outside the agents' folders, the first agent that finds a message in the file. */
function inspect(sources: TranscriptSource[], path: string): TranscriptFile | null {
  const owner = sources.find(({ roots }) => roots.some((root) => path.startsWith(root)));
  if (owner !== undefined) return owner.inspect(path);
  const readable = sources.flatMap((source) => {
    const file = source.inspect(path);
    return file === null ? [] : [{ file, known: source.head(file).fingerprint !== null }];
  });
  return (readable.find(({ known }) => known) ?? readable[0])?.file ?? null;
}

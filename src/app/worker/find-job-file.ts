import type { Job } from '../../domain/machine/job.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';

/**
 * The transcript that a job means; null when there is none (it was not written yet, or is gone). A path that leads nowhere,
 * or to a side file of a subagent, is made up for by the session's id.
 */
export function findJobFile(sources: TranscriptSource[], job: Job): TranscriptFile | null {
  const named = job.transcriptPath === null ? null : inspect(sources, job.transcriptPath);
  const sessionId = named?.sessionId ?? job.sessionId;
  if (sessionId === null) return named;
  // An agent may have moved or copied the session: the longest transcript is the session.
  const asked = sources.filter(({ agent }) => named === null || agent === named.agent);
  for (const source of asked) {
    const path = source.locate(sessionId);
    const located = path === null ? null : source.inspect(path);
    if (located !== null && located.size > (named?.size ?? -1)) return located;
  }
  return named;
}

/** The agent in whose folders the file lies knows it best; elsewhere, the one that finds a message in it. */
function inspect(sources: TranscriptSource[], path: string): TranscriptFile | null {
  const owner = sources.find(({ roots }) => roots.some((root) => path.startsWith(root)));
  if (owner !== undefined) return owner.inspect(path);
  const readable = sources.flatMap((source) => {
    const file = source.inspect(path);
    return file === null ? [] : [{ file, known: source.head(file).fingerprint !== null }];
  });
  return (readable.find(({ known }) => known) ?? readable[0])?.file ?? null;
}

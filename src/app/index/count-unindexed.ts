import type { TranscriptSource } from '../../ports/transcript-source.ts';

/** How many sessions have a transcript that no run has looked at. Lists transcripts, and reads none. */
export function countUnindexed(
  sources: Pick<TranscriptSource, 'find'>[],
  running: string[],
  known: Set<string>,
): number {
  const found = sources.flatMap((source) => source.find()).map(({ sessionId }) => sessionId);
  const left = new Set(found.filter((sessionId) => !known.has(sessionId)));
  for (const sessionId of running) left.delete(sessionId);
  return left.size;
}

import { isSameMark } from '../../domain/agent/change-mark.ts';
import type { FileStamp } from '../../ports/index-state.ts';
import type { OnProblem, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { nameMarkOf } from './name-mark.ts';

/** All transcripts, and the prompts of sessions whose transcript is gone. */
export function findTranscripts(sources: TranscriptSource[], onProblem?: OnProblem): TranscriptFile[] {
  const files = sources.flatMap((source) => source.find(onProblem));
  const known = new Set(files.map(({ sessionId }) => sessionId));
  const isKnown = (sessionId: string) => known.has(sessionId);
  return [...files, ...sources.flatMap(({ history }) => history?.find(isKnown, onProblem) ?? [])];
}

/** Whether a transcript changed since it was read. */
export function hasChanged(file: TranscriptFile, stamp: FileStamp | undefined): boolean {
  return !isSameMark(stamp, file) || stamp?.name !== nameMarkOf(file);
}

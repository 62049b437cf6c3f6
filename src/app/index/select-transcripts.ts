import { isSameMark } from '../../domain/agent/change-mark.ts';
import { emptyMemoryState } from '../../domain/memory/extract/memory-state.ts';
import { emptyChunkerState } from '../../domain/point/chunking.ts';
import { emptyIntentState } from '../../domain/point/intents.ts';
import { emptyDraft } from '../../domain/session/draft.ts';
import type { Cursor, FileStamp } from '../../ports/index-state.ts';
import type { OnProblem, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';

/** All transcripts, and the prompts of sessions whose transcript is gone. */
export function findTranscripts(sources: TranscriptSource[], onProblem?: OnProblem): TranscriptFile[] {
  const files = sources.flatMap((source) => source.find(onProblem));
  const known = new Set(files.map(({ sessionId }) => sessionId));
  const isKnown = (sessionId: string) => known.has(sessionId);
  return [...files, ...sources.flatMap(({ history }) => history?.find(isKnown, onProblem) ?? [])];
}

/** Whether a transcript changed since it was read. */
export function hasChanged(file: TranscriptFile, stamp: FileStamp | undefined): boolean {
  return !isSameMark(stamp, file) || stamp?.name !== (file.name ?? null);
}

/** The cursor of an excluded session: enough to detect changes, but without any text. */
export function withoutTexts(cursor: Cursor): Cursor {
  const nothing = {
    draft: emptyDraft(),
    chunker: emptyChunkerState(),
    intents: emptyIntentState(),
    memory: emptyMemoryState(),
  };
  return { ...cursor, progress: { ...cursor.progress, ...nothing, markers: [] } };
}

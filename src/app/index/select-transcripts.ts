import { isSameMark } from '../../domain/agent/change-mark.ts';
import { emptyMemoryState } from '../../domain/memory/extract/memory-state.ts';
import { emptyChunkerState } from '../../domain/point/chunking.ts';
import { emptyIntentState } from '../../domain/point/intents.ts';
import { emptyDraft } from '../../domain/session/draft.ts';
import type { Cursor, FileStamp } from '../../ports/index-state.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';

/** All transcripts, and the prompts of sessions whose transcript is gone. */
export function findTranscripts(
  sources: TranscriptSource[],
  onProblem?: (path: string, reason: string) => void,
): TranscriptFile[] {
  const files = sources.flatMap((source) => source.find(onProblem));
  const known = new Set(files.map(({ sessionId }) => sessionId));
  const isKnown = (sessionId: string) => known.has(sessionId);
  return [...files, ...sources.flatMap(({ history }) => history?.find(isKnown, onProblem) ?? [])];
}

/** Keeps one transcript per session id: the longest and, of equals, the newest. Sorted newest first. */
export function withoutDuplicates(files: TranscriptFile[]): TranscriptFile[] {
  const best = new Map<string, TranscriptFile>();
  for (const file of files) {
    const other = best.get(file.sessionId);
    const wins =
      other === undefined ||
      file.size > other.size ||
      (file.size === other.size && file.mtimeMs > other.mtimeMs);
    if (wins) best.set(file.sessionId, file);
  }
  return [...best.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
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

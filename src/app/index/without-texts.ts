import { emptyMemoryState } from '../../domain/memory/extract/memory-state.ts';
import { emptyChunkerState } from '../../domain/point/chunking.ts';
import { emptyIntentState } from '../../domain/point/intents.ts';
import { emptyDraft } from '../../domain/session/draft.ts';
import type { Cursor } from '../../ports/index-state.ts';

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

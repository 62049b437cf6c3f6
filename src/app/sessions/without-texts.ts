import { emptyChunkerState } from '../../domain/point/chunking.ts';
import { emptyIntentState } from '../../domain/point/intents.ts';
import { emptyDraft } from '../../domain/session/draft.ts';
import type { Cursor } from '../../ports/index-state.ts';

/** What tells whether the transcript has changed, and nothing of what it says: for one that is kept out. */
export function withoutTexts(cursor: Cursor): Cursor {
  const { progress } = cursor;
  const nothing = { draft: emptyDraft(), chunker: emptyChunkerState(), intents: emptyIntentState() };
  return { ...cursor, progress: { ...progress, ...nothing, markers: [] } };
}

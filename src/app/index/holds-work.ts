import { emptyDraft, type SessionDraft } from '../../domain/session/draft.ts';
import type { Cursor } from '../../ports/index-state.ts';
import type { PreparedSession } from './prepare-session.ts';

/**
 * Whether a transcript holds nothing to index: no message, or only copies of its parent's. An emptied file says no more than
 * a deleted one: the indexed session stays.
 */
export function isEmpty({ change, cursor }: PreparedSession): boolean {
  if (change.session.payload.bytes === 0) return true;
  const holdsNothing = change.upserts.length === 0 && cursor.progress.draft.toolCalls === 0;
  return change.expected === null && holdsNothing;
}

/** Whether smart-fork was asked in a session, and nothing else happened: it must not be found instead of what was asked for. */
export function hasOnlyAsked({ change, cursor }: PreparedSession): boolean {
  return change.session.payload.chunk_count === 0 && onlyAsks(cursor.progress.draft);
}

/** Whether nothing but smart-fork's own messages is in a draft. */
export function onlyAsks({
  ownMessages = 0,
  userMessages,
  assistantMessages,
  toolCalls,
}: SessionDraft): boolean {
  return ownMessages > 0 && userMessages + assistantMessages + toolCalls === 0;
}

/** The cursor, with a draft of which `onlyAsks` is true. */
export function asOnlyAsking(cursor: Cursor): Cursor {
  return { ...cursor, progress: { ...cursor.progress, draft: { ...emptyDraft(), ownMessages: 1 } } };
}

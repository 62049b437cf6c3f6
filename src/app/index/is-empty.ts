import { emptyDraft, type SessionDraft } from '../../domain/session/draft.ts';
import type { Cursor } from '../../ports/index-state.ts';
import type { PreparedSession } from './prepare-session.ts';

/**
 * Whether a transcript contains nothing to index: no messages, or only copies of its parent's. An emptied file is treated like a
 * deleted one: the indexed session stays.
 */
export function isEmpty({ change, cursor }: PreparedSession): boolean {
  if (change.session.payload.bytes === 0) return true;
  const holdsNothing = change.upserts.length === 0 && cursor.progress.draft.toolCalls === 0;
  return change.expected === null && holdsNothing;
}

/** Whether a session only queried smart-fork: it must not be found instead of the session it searched for. */
export function hasOnlyAsked({ change, cursor }: PreparedSession): boolean {
  return change.session.payload.chunk_count === 0 && onlyAsks(cursor.progress.draft);
}

/** Whether a draft contains nothing but smart-fork's own messages. */
export function onlyAsks({
  ownMessages = 0,
  userMessages,
  assistantMessages,
  toolCalls,
}: SessionDraft): boolean {
  return ownMessages > 0 && userMessages + assistantMessages + toolCalls === 0;
}

/** The cursor with a minimal draft for which `onlyAsks` is true. */
export function asOnlyAsking(cursor: Cursor): Cursor {
  return { ...cursor, progress: { ...cursor.progress, draft: { ...emptyDraft(), ownMessages: 1 } } };
}

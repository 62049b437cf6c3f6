import { SmartForkError } from '../../domain/errors.ts';
import { LONGEST_NOTE, type Marks, readMarks, withNote, withStar } from '../../domain/tags/marks.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { findSession } from './find-session.ts';

export interface MarkedSession extends Marks {
  session_id: string;
}

/** @throws SmartForkError SESSION_NOT_FOUND */
export async function starSession(store: PointStore, id: string, starred: boolean): Promise<MarkedSession> {
  return change(store, id, (tags) => withStar(tags, starred));
}

/**
 * Sets a session's note; "" removes it, undefined leaves it. Secrets are redacted.
 * @throws SmartForkError SESSION_NOT_FOUND, USAGE for a note that is too long
 */
export async function noteSession(
  { store, redactor }: { store: PointStore; redactor: Redactor },
  id: string,
  given: string | undefined,
): Promise<MarkedSession> {
  if (given === undefined) return change(store, id, (tags) => tags);
  const [redacted] = await redactor.redact([{ text: given }]);
  const note = sanitizeLine(redacted?.text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  if (note.length > LONGEST_NOTE)
    throw new SmartForkError('USAGE', `the note has ${note.length} characters; the limit is ${LONGEST_NOTE}`);
  return change(store, id, (tags) => withNote(tags, note === '' ? null : note));
}

async function change(
  store: PointStore,
  id: string,
  to: (tags: string[]) => string[],
): Promise<MarkedSession> {
  const { session_id, tags } = await findSession(store, id);
  const changed = [...new Set(to(tags))].sort();
  if (changed.join('\n') !== [...tags].sort().join('\n')) await store.setTags(session_id, changed);
  return { session_id, ...readMarks(changed) };
}

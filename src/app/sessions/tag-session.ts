import { SmartForkError } from '../../domain/errors.ts';
import { plainTag, readMarks } from '../../domain/tags/marks.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { findSession } from './find-session.ts';

const TAG = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,49}$/u;

/**
 * Adds and removes tags of a session, and returns its tags.
 * @throws SmartForkError SESSION_NOT_FOUND, USAGE for an invalid tag
 */
export async function tagSession(
  store: PointStore,
  id: string,
  change: { add?: string[]; remove?: string[] },
): Promise<{ session_id: string; tags: string[] }> {
  const add = (change.add ?? []).map(asTag);
  const remove = (change.remove ?? []).map(asTag);
  const session = await findSession(store, id);
  const kept = session.tags.filter((tag) => !remove.includes(tag));
  const stored = [...new Set([...kept, ...add])].sort();
  if (add.length + remove.length > 0) await store.setTags(session.session_id, stored);
  return { session_id: session.session_id, tags: readMarks(stored).tags };
}

function asTag(text: string): string {
  const tag = plainTag(text);
  if (TAG.test(tag)) return tag;
  throw new SmartForkError('USAGE', `invalid tag "${text}"`, {
    hint: 'Letters, digits, . _ - and /, at most 50.',
  });
}

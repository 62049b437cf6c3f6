import { mergeTagChanges } from '../../../domain/tags/tag-change.ts';
import type { PendingChange } from '../../../ports/outbox.ts';

export const NOTHING: PendingChange = {
  texts: false,
  whole: false,
  vectors: false,
  tags: null,
  removed: false,
  forgotten: null,
  revived: false,
  archive: false,
};

/** Merges two consecutive changes of a session into one entry. */
export function mergeChanges(before: PendingChange, change: Partial<PendingChange>): PendingChange {
  const after = { ...NOTHING, ...change };
  if (after.removed) return { ...NOTHING, removed: true, forgotten: after.forgotten ?? before.forgotten };
  const whole = before.whole || after.whole || after.revived;
  return {
    texts: before.texts || after.texts || whole,
    whole,
    vectors: before.vectors || after.vectors,
    tags: mergeTagChanges(before.tags, after.tags),
    removed: before.removed,
    forgotten: after.revived ? null : before.forgotten,
    revived: before.revived || after.revived,
    archive: before.archive || after.archive,
  };
}

import type { OutboxChange, OutboxEntry, TagChange } from '../../../ports/outbox.ts';

/** The part of an entry that changes are merged into. */
export type Merged = Omit<OutboxEntry, 'sessionId' | 'revision' | 'since' | 'tries' | 'reason'>;

/** With more ids than this, comparing the whole session costs less than they do. */
const MOST_IDS = 500;

export const NOTHING: Merged = {
  whole: false,
  points: [],
  deletes: [],
  vectors: [],
  tags: null,
  removed: false,
  forgotten: null,
  revived: false,
  archive: false,
};

/** One entry for two changes of a session that come after each other. */
export function mergeChanges(before: Merged, change: Omit<OutboxChange, 'sessionId'>): Merged {
  const { forgotten = null, revived = false } = change;
  if (change.removed === true) return { ...NOTHING, removed: true, forgotten: forgotten ?? before.forgotten };
  const points = union(before.points, change.points);
  const deletes = union(before.deletes, change.deletes).filter((id) => !change.points?.includes(id));
  const whole = before.whole || change.whole === true || revived || points.length + deletes.length > MOST_IDS;
  const vectors =
    before.vectors === null || change.vectors === null ? null : union(before.vectors, change.vectors);
  return {
    whole,
    points: whole ? [] : points.filter((id) => !deletes.includes(id)),
    deletes: whole ? [] : deletes,
    vectors: vectors === null || vectors.length > MOST_IDS ? null : vectors,
    tags: mergeTags(before.tags, change.tags ?? null),
    removed: before.removed,
    forgotten: revived ? null : before.forgotten,
    revived: before.revived || revived,
    archive: before.archive || change.archive === true,
  };
}

function mergeTags(before: TagChange | null, change: TagChange | null): TagChange | null {
  if (before === null || change === null) return change ?? before;
  return {
    add: union(
      before.add.filter((tag) => !change.remove.includes(tag)),
      change.add,
    ),
    remove: union(
      before.remove.filter((tag) => !change.add.includes(tag)),
      change.remove,
    ),
  };
}

function union(one: string[], other: string[] = []): string[] {
  return other.length === 0 ? one : [...new Set([...one, ...other])];
}

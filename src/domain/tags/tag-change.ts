/** A change to a session's tags. Unlike whole lists, changes from two machines can be merged. */
export interface TagChange {
  add: string[];
  remove: string[];
}

/** Null if nothing changed. */
export function tagChange(before: string[], after: string[]): TagChange | null {
  const add = after.filter((tag) => !before.includes(tag));
  const remove = before.filter((tag) => !after.includes(tag));
  return add.length + remove.length === 0 ? null : { add, remove };
}

export function withTagChange(tags: string[], { add, remove }: TagChange): string[] {
  return [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
}

/** Combines two consecutive changes into one. */
export function mergeTagChanges(before: TagChange | null, after: TagChange | null): TagChange | null {
  if (before === null || after === null) return after ?? before;
  const without = (tags: string[], others: string[]) => tags.filter((tag) => !others.includes(tag));
  return {
    add: [...new Set([...without(before.add, after.remove), ...after.add])],
    remove: [...new Set([...without(before.remove, after.add), ...after.remove])],
  };
}

import type { TagChange } from '../../../ports/outbox.ts';

/** What makes one list of tags another: two machines' changes go together, their lists would not. */
export function tagChange(before: string[], after: string[]): TagChange {
  return {
    add: after.filter((tag) => !before.includes(tag)),
    remove: before.filter((tag) => !after.includes(tag)),
  };
}

export function withTagChange(tags: string[], { add, remove }: TagChange): string[] {
  return [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
}

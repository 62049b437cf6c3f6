/** Turns a text back into the one before an edit. Offsets are in UTF-16 units. */
interface Undo {
  offset: number;
  inserted: number;
  removed: string;
}

export function undoOf(before: string, after: string): Undo {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return {
    offset: start,
    inserted: after.length - end - start,
    removed: before.slice(start, before.length - end),
  };
}

export function undoEdit(after: string, { offset, inserted, removed }: Undo): string {
  return after.slice(0, offset) + removed + after.slice(offset + inserted);
}

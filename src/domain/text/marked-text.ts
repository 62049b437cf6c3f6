/** Text with marked words: `ranges` are [start, end) offsets in UTF-16 units. */
export interface Marked {
  text: string;
  ranges: [number, number][];
}

/** Paints the ranges. Without colour the text is unchanged, because asterisks in quoted code would look like code. */
export function paintRanges({ text, ranges }: Marked, paint: (text: string) => string): string {
  let painted = '';
  let at = 0;
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const from = Math.max(at, start);
    if (end <= from) continue;
    painted += text.slice(at, from) + paint(text.slice(from, end));
    at = end;
  }
  return painted + text.slice(at);
}

export function sliceMarked({ text, ranges }: Marked, start: number, end: number): Marked {
  const inside: [number, number][] = [];
  for (const [from, to] of ranges) {
    if (to > start && from < end) inside.push([Math.max(from, start) - start, Math.min(to, end) - start]);
  }
  return { text: text.slice(start, end), ranges: inside };
}

/** `text.replace(pattern, replace)` with the ranges adjusted. `pattern` must be global. */
export function replaceMarked(marked: Marked, pattern: RegExp, replace: (found: string) => string): Marked {
  let text = '';
  let copied = 0;
  const edits: { from: number; to: number; at: number; length: number }[] = [];
  for (const match of marked.text.matchAll(pattern)) {
    text += marked.text.slice(copied, match.index);
    const replacement = replace(match[0]);
    copied = match.index + match[0].length;
    edits.push({ from: match.index, to: copied, at: text.length, length: replacement.length });
    text += replacement;
  }
  text += marked.text.slice(copied);
  if (edits.length === 0) return marked;

  const moved = (offset: number): number => {
    const edit = edits.findLast(({ from }) => from < offset);
    if (!edit) return offset;
    return (
      edit.at +
      (offset < edit.to ? Math.min(offset - edit.from, edit.length) : edit.length + offset - edit.to)
    );
  };
  return { text, ranges: marked.ranges.map(([start, end]) => [moved(start), moved(end)]) };
}

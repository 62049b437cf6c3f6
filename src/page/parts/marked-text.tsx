import { visible } from '../markdown/visible.ts';

/** Text with matched words highlighted. Ranges are [start, end) in UTF-16 units. */
export function MarkedText({ text, ranges }: { text: string; ranges: [number, number][] }) {
  const parts = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start < at || end > text.length) continue;
    parts.push(visible(text.slice(at, start)), <mark key={start}>{visible(text.slice(start, end))}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {visible(text.slice(at))}
    </>
  );
}

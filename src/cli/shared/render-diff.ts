import { structuredPatch } from 'diff';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Ink } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';

/** The changed lines of a file; none if it is deleted. */
export function diffLines(
  { path, before, after }: { path: string; before: string | null; after: string | null },
  ink: Ink,
): string[] {
  if (after === null) return [];
  const { hunks } = structuredPatch(path, path, before ?? '', after, '', '', { context: CONTEXT_LINES });
  return hunks.flatMap(({ oldStart, newStart, lines }) => [
    ink.style.accent(`  @@ -${oldStart} +${newStart} @@`),
    ...lines.filter((line) => !line.startsWith('\\')).flatMap((line) => diffLine(line, ink)),
  ]);
}

/** Wraps changed lines; truncates the context lines. */
function diffLine(line: string, { style, columns, symbols }: Ink): string[] {
  const text = truncate(printable(line.slice(1)), LONGEST_LINE, symbols.ellipsis);
  if (line.startsWith(' ')) return [style.dim(`    ${truncate(text, columns - 4, symbols.ellipsis)}`)];
  const paint = line.startsWith('+') ? style.good : style.bad;
  return wrap(text, columns - 4).map((part, i) => paint(`  ${i === 0 ? line[0] : ' '} ${part}`));
}

/** A whole file may be on a single line. */
const LONGEST_LINE = 600;

/** Keeps the indent and removes control characters. */
function printable(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  return indent.replaceAll('\t', '    ') + sanitizeLine(line);
}

const CONTEXT_LINES = 2;

import { diffLines } from 'diff';
import { useMemo, useState } from 'preact/hooks';
import { visible } from '../markdown/visible.ts';

type Line = {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
  parts?: { text: string; isNew: boolean }[];
};

const CONTEXT = 3;
const FIRST_LINES = 300;
/** The cost of comparing grows with the square of what differs. */
const MAX_COMPARED = 200_000;

/** A change to a file, line by line; changed words are marked within changed lines. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => compare(before, after), [before, after]);
  const [shown, setShown] = useState(FIRST_LINES);
  return (
    <>
      <div class="diff" role="group" aria-label="Change" tabIndex={0}>
        {lines.slice(0, shown).map((line, index) => (
          <DiffLine key={index} line={line} />
        ))}
      </div>
      {lines.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + 2000)}>
          Show {(lines.length - shown).toLocaleString('en')} more lines
        </button>
      )}
    </>
  );
}

/** "+3 −1"; null if counting would take too long. */
export function countChange(before: string, after: string): { added: number; removed: number } | null {
  if (before.length + after.length > 20_000) return null;
  const changes = diffLines(before, after);
  const sum = (kind: 'added' | 'removed') =>
    changes.filter((change) => change[kind]).reduce((total, { count = 0 }) => total + count, 0);
  return { added: sum('added'), removed: sum('removed') };
}

const SIGNS = { same: ' ', added: '+', removed: '−', gap: '⋯' };

function DiffLine({ line: { kind, text, parts } }: { line: Line }) {
  return (
    <div class={kind}>
      <span class="sign">{SIGNS[kind]}</span>
      {parts === undefined
        ? visible(text)
        : parts.map((part, index) =>
            part.isNew ? <em key={index}>{visible(part.text)}</em> : visible(part.text),
          )}
    </div>
  );
}

function compare(before: string, after: string): Line[] {
  if (before.length + after.length > MAX_COMPARED)
    return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
  const changes = diffLines(before, after);
  return changes.flatMap(({ added, removed, value }, index): Line[] => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    if (kind === 'same') return withGap(linesOf(value, kind), index === 0, index === changes.length - 1);
    const other = removed ? changes[index + 1] : changes[index - 1];
    const pair = removed ? other?.added : other?.removed;
    if (pair !== true || other === undefined || other.count !== changes[index]?.count)
      return linesOf(value, kind);
    return withWords(linesOf(value, kind), linesOf(other.value, kind));
  });
}

function linesOf(text: string, kind: Line['kind']): Line[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ kind, text: line }));
}

function withGap(lines: Line[], isFirst: boolean, isLast: boolean): Line[] {
  const [head, tail] = [isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT];
  const hidden = lines.length - head - tail;
  if (hidden <= 1) return lines;
  const gap: Line = { kind: 'gap', text: `${hidden} lines` };
  return [...lines.slice(0, head), gap, ...lines.slice(lines.length - tail)];
}

/** Marks the part between the common beginning and the common end of both lines. */
function withWords(lines: Line[], others: Line[]): Line[] {
  return lines.map((line, index) => {
    const other = others[index]?.text ?? '';
    const start = sharedStart(line.text, other);
    const end = sharedStart(reverse(line.text.slice(start)), reverse(other.slice(start)));
    const shared = line.text.slice(0, start) + line.text.slice(line.text.length - end);
    // Lines with little in common are easier to read without marks.
    if (shared.trim().length * 3 < line.text.trim().length) return line;
    const parts = [
      { text: line.text.slice(0, start), isNew: false },
      { text: line.text.slice(start, line.text.length - end), isNew: true },
      { text: line.text.slice(line.text.length - end), isNew: false },
    ];
    return { ...line, parts };
  });
}

/** Ends between words, because half-marked words are hard to read. */
function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at++;
  while (at > 0 && at < one.length && /\w/.test(one[at] ?? '') && /\w/.test(one[at - 1] ?? '')) at--;
  return at;
}

function reverse(text: string): string {
  return [...text].reverse().join('');
}

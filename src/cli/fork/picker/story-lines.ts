import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { Turn } from '../../../app/sessions/conversation/turn.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { sanitize } from '../../../domain/text/sanitize.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { markedLines } from '../../search/passage-lines.ts';
import { titleOf } from '../../shared/labels.ts';
import type { Ink } from '../../terminal/ink.ts';
import type { Style } from '../../terminal/style.ts';
import { wrap } from '../../terminal/width.ts';
import { type Fact, factsOf, LABEL, workOf } from './fact-lines.ts';

/** A line of a session; `ranges` are words of the query, in UTF-16 units. */
export interface StoryLine {
  text: string;
  ranges: [number, number][];
  paint: keyof Style | null;
}

/** Finds the words of the query in a text. */
export type Marks = (text: string) => [number, number][];

/** A longer message is cut: the whole of it is in `smart-fork show`. */
const LONGEST_MESSAGE = 6000;
const INDENT = '  ';

/** A session to read before it is forked: what is known of it, then the conversation with its answers. */
export function storyLines(
  result: SearchResult,
  description: SessionDescription | null,
  { ink, nowMs, width, marks }: { ink: Ink; nowMs: number; width: number; marks: Marks },
): StoryLine[] {
  const title = wrap(titleOf(result), width)
    .slice(0, 3)
    .map((text) => line(text, 'strong'));
  if (description === null) return [...title, line('Loading', 'dim')];
  const { turns } = description;
  const facts = [...factsOf(description, nowMs, ink), ...workOf(description, ink)];
  return [
    ...title,
    ...facts.flatMap((fact) => factLine(fact, width)),
    ...turns.flatMap((turn) => turnLines(turn, turns.length, ink, width, marks)),
  ];
}

function turnLines(turn: Turn, count: number, ink: Ink, width: number, marks: Marks): StoryLine[] {
  const done = [
    `turn ${turn.index + 1} of ${count}`,
    ...(turn.rewound === true ? ['taken back'] : []),
    ...(turn.tools.length > 0 ? [plural(turn.tools.length, 'call')] : []),
    ...(turn.files.length > 0 ? [`${plural(turn.files.length, 'file')} changed`] : []),
  ].join(ink.symbols.separator);
  return [
    line('', null),
    line(done, 'dim'),
    ...(turn.before === undefined ? [] : [line('before the first prompt:', 'dim')]),
    ...messageLines(turn.before ?? '', INDENT, width, marks),
    ...messageLines(turn.user, '> ', width, marks),
    ...(turn.assistant.trim() === '' ? [] : [line('', null)]),
    ...messageLines(turn.assistant, INDENT, width, marks),
  ];
}

function messageLines(message: string, indent: string, width: number, marks: Marks): StoryLine[] {
  const whole = sanitize(message).replaceAll('\t', '    ').trim();
  if (whole === '') return [];
  const text = whole.slice(0, LONGEST_MESSAGE).toWellFormed();
  const left = whole.length - text.length;
  const shift = indent.length;
  return [
    ...markedLines({ text, ranges: marks(text) }, width - shift).map(
      (one): StoryLine => ({
        text: indent + one.text,
        ranges: one.ranges.map(([start, end]) => [start + shift, end + shift]),
        paint: indent === INDENT ? null : 'accent',
      }),
    ),
    ...(left > 0 ? [line(`${indent}${plural(left, 'more character')}`, 'dim')] : []),
  ];
}

function factLine([label, values]: Fact, width: number): StoryLine[] {
  return values
    .filter((value) => value.trim() !== '')
    .flatMap((value) => wrap(sanitize(value).replaceAll('\n', ' '), width - LABEL))
    .map((text, at) => line((at === 0 ? label : '').padEnd(LABEL) + text, 'dim'));
}

function line(text: string, paint: StoryLine['paint']): StoryLine {
  return { text, ranges: [], paint };
}

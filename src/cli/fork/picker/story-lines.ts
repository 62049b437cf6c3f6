import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { Turn } from '../../../app/sessions/conversation/turn.ts';
import { sanitize, sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { titleOf } from '../../shared/labels.ts';
import type { Ink } from '../../terminal/ink.ts';
import { truncate, wrap } from '../../terminal/width.ts';
import { type PickerState, resultInView } from './picker-state.ts';
import { factLines, factsOf, workOf } from './preview-lines.ts';
import type { ScreenContext } from './screen-context.ts';

const LAST_WORDS = 8;

/** What the session in view accomplished: its turns, its work, its loose ends, its last message. */
export function storyLines(state: PickerState, context: ScreenContext, width: number): string[] {
  const { ink, description } = context;
  const result = resultInView(state);
  if (result === null) return [];
  const head = [
    ink.style.accent(`What was accomplished in #${result.rank}`),
    '',
    ...wrap(titleOf(result), width).slice(0, 3).map(ink.style.strong),
  ];
  if (description === null) return [...head, ink.style.dim('Loading')];
  return [
    ...head,
    ...factLines(factsOf(description, context.nowMs, ink), ink, width),
    '',
    ...outlineLines(description, ink, width),
    '',
    ...factLines(workOf(description, ink), ink, width),
    ...lastWords(description.turns.at(-1), ink, width),
  ];
}

function outlineLines({ turns }: SessionDescription, ink: Ink, width: number): string[] {
  return turns.flatMap((turn) => {
    const number = `${turn.index + 1}. `;
    const asked = sanitizeLine(turn.user) || sanitizeLine(turn.assistant) || '(no text)';
    const done = [
      ...(turn.rewound === true ? ['taken back'] : []),
      ...(turn.tools.length > 0 ? [plural(turn.tools.length, 'call')] : []),
      ...(turn.files.length > 0 ? [`${plural(turn.files.length, 'file')} changed`] : []),
    ];
    const below =
      done.length === 0 ? [] : [ink.style.dim(' '.repeat(number.length) + done.join(ink.symbols.separator))];
    return [number + truncate(asked, width - number.length, ink.symbols.ellipsis), ...below];
  });
}

function lastWords(turn: Turn | undefined, ink: Ink, width: number): string[] {
  const text = sanitize(turn?.assistant ?? '').trim();
  if (text === '') return [];
  return ['', ink.style.dim('How it ended'), ...wrap(text, width).slice(-LAST_WORDS)];
}

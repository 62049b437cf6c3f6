import { isWeak } from '../../../domain/search/certainty.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { displayWidth, padEnd, truncate } from '../../terminal/width.ts';
import type { PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** Above the choices, the question; above the list, what is typed, and how many sessions that finds. */
export function headerLines(state: PickerState, context: ScreenContext, width: number): string[] {
  const { style } = context.ink;
  if (state.page === 'list')
    return [style.strong(truncate(TYPE, width, '')), typedLine(state, context, width)];
  const { fit } = context;
  const question = isWeak(fit)
    ? closestLine(state.text, fit?.text ?? '', context, width)
    : questionLine(state.text, context, width);
  const where = truncate(context.status ?? scopeOf(state, context), width, context.ink.symbols.ellipsis);
  return [style.strong(question), context.status === null ? style.dim(where) : style.warn(where)];
}

const TYPE = 'What would you like to do? Type to search all sessions.';

/** Says that nothing fits, as `search` does. */
export function closestLine(
  query: string,
  fit: string,
  { ink }: Pick<ScreenContext, 'ink'>,
  width: number,
): string {
  const after = `: ${fit}:`;
  return `"${truncate(sanitizeLine(query), width - after.length - 2, ink.symbols.ellipsis)}"${after}`;
}

export function questionLine(text: string, { ink }: Pick<ScreenContext, 'ink'>, width: number): string {
  const words = sanitizeLine(text);
  const question = 'Which session would you like to fork';
  const whole = words === '' ? `${question}?` : `${question} for "${words}"?`;
  if (displayWidth(whole) <= width) return whole;
  const room = width - displayWidth(`${question} for ""?`);
  if (words !== '' && room >= 12) return `${question} for "${truncate(words, room, ink.symbols.ellipsis)}"?`;
  return truncate(words === '' ? whole : `Fork for "${words}"`, width, ink.symbols.ellipsis);
}

/** What is typed on the left; on the right, the count of what it finds. */
function typedLine(state: PickerState, context: ScreenContext, width: number): string {
  const { ink, status } = context;
  const { style, symbols } = ink;
  const count = state.settled ? countOf(state) : symbols.ellipsis;
  const facts = [count, ...(width < NARROW ? [] : [scopeOf(state, context)])].filter(Boolean);
  const right = truncate(status ?? facts.join(symbols.separator), width - 12, symbols.ellipsis);
  const room = width - displayWidth(right) - 5;
  const typed = `${tailOf(sanitizeSpaces(state.text), room - 1, symbols.ellipsis)}_`;
  const gap = padEnd(typed, room + 1).slice(typed.length);
  return `${style.accent('>')} ${typed}${gap} ${status === null ? style.dim(right) : style.warn(right)}`;
}

function countOf({ results, more, text }: PickerState): string {
  return `${results.length}${more ? '+' : ''} ${text === '' ? 'recent' : 'found'}`;
}

/** Keeps the space that was just typed. */
function sanitizeSpaces(text: string): string {
  return sanitizeLine(text) + (/\S\s+$/.test(text) ? ' ' : '');
}

/** Narrower screens do not say where they search. */
const NARROW = 60;

function scopeOf({ scope }: PickerState, { preferred }: ScreenContext): string {
  if (scope === null) return '';
  if (scope === 'here') return 'this repository';
  return preferred === undefined
    ? 'all repositories'
    : `${sanitizeLine(preferred)} first, unless --everywhere`;
}

/** Shows the end of a long text, where the user is typing. */
function tailOf(text: string, width: number, ellipsis: string): string {
  if (displayWidth(text) <= width) return text;
  const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  while (parts.length > 0 && displayWidth(parts.join('')) > width - ellipsis.length) parts.shift();
  return ellipsis + parts.join('');
}

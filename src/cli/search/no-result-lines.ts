import { respellQuery } from '../../domain/query/respell-query.ts';
import type { SearchResponse } from '../../domain/search-result.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, plural } from '../../domain/text/time-text.ts';
import type { Ink } from '../terminal/ink.ts';
import { displayWidth, padEnd, padStart, truncate, wrap } from '../terminal/width.ts';
import { queryText } from './query-text.ts';

type WordCount = { word: string; sessions: number };

/** Which words and filters caused a search to find nothing, and what to do. */
export function noResultLines(response: SearchResponse, ink: Ink): string[] {
  const { style, columns } = ink;
  const { understood } = response;
  const words = (response.words ?? []).map(({ word, sessions }) => ({ word: sanitizeLine(word), sessions }));
  const said = understood.map(({ text }) => sanitizeLine(text)).join(ink.symbols.separator);
  const query = truncate(queryText(response), 2 * columns, ink.symbols.ellipsis);
  const found = query === '' ? 'No session found' : `No session found for "${query}"`;
  const title = wrap(found, columns).map(style.strong);
  return [
    ...title,
    ...respelledLines(response, ink),
    ...(said === '' ? [] : wrap(`Understood: ${said}`, columns).map(style.accent)),
    ...filterLines(response, ink),
    ...wordLines(words, ink),
    '',
    'What you can do:',
    ...advice(words, response.filters ?? [], ink),
  ];
}

/** How many sessions contain each word of a search with weak results. */
export function weakResultLines(response: SearchResponse, ink: Ink): string[] {
  const words = response.words ?? [];
  if (words.length === 0) return [];
  const list = words.map(({ word, sessions }) => `${sanitizeLine(word)} ${count(sessions)}`).join(', ');
  const text = `Weak matches. Sessions with each word: ${list}. Other words may find more.`;
  return ['', ...wrap(text, ink.columns).map(ink.style.warn), ...respelledLines(response, ink)];
}

function respelledLines({ query, words = [] }: SearchResponse, ink: Ink): string[] {
  const meant = respellQuery(query, words);
  return meant === null
    ? []
    : wrap(`Did you mean "${sanitizeLine(meant)}"?`, ink.columns).map(ink.style.accent);
}

/** How many sessions each filter matches on its own. */
export function filterLines(
  { filters = [], sessions = 0 }: Pick<SearchResponse, 'filters' | 'sessions'>,
  ink: Ink,
): string[] {
  if (filters.length === 0) return [];
  const lines = filters.flatMap((one) => {
    const { sessions: left, of } = one;
    const option = optionOf(one);
    const unit = of === undefined ? plural(sessions, 'session') : plural(of, 'match', 'matches');
    const text = `${option}: ${count(left)} of ${unit}`;
    return wrap(text, ink.columns - 2).map((line) => `  ${left === 0 ? ink.style.warn(line) : line}`);
  });
  return ['', ...wrap('Sessions each filter matches:', ink.columns), ...lines];
}

type FilterCount = NonNullable<SearchResponse['filters']>[number];

/** The filter as it can be typed: a day without its time, a time to the minute. */
function optionOf({ filter, value }: FilterCount): string {
  const isTime = filter === 'since' || filter === 'until';
  const typed = isTime && value !== null ? dayOrTime(value) : value;
  return `--${filter.replace('_', '-')}${typed === null ? '' : ` ${sanitizeLine(typed)}`}`;
}

function dayOrTime(iso: string): string {
  const time = new Date(iso);
  const isDay = [iso, time.getTime() + 1].some((at) => new Date(at).toTimeString().startsWith('00:00:00'));
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join('-');
  return isDay ? day : `"${day} ${two(time.getHours())}:${two(time.getMinutes())}"`;
}

function wordLines(words: WordCount[], ink: Ink): string[] {
  if (words.length === 0) return [];
  const right = Math.max(...words.map(({ sessions }) => count(sessions).length));
  const room = ink.columns - '     sessions'.length - right;
  const left = Math.min(room, Math.max(...words.map(({ word }) => displayWidth(word))));
  const lines = words.map(({ word, sessions }) => {
    const label = padEnd(truncate(word, left, ink.symbols.ellipsis), left);
    const number = `${padStart(count(sessions), right)} ${sessions === 1 ? 'session' : 'sessions'}`;
    return `  ${label}  ${sessions === 0 ? ink.style.warn(number) : ink.style.dim(number)}`;
  });
  return ['', ...wrap('Sessions with each word:', ink.columns), ...lines];
}

function advice(words: WordCount[], filters: FilterCount[], ink: Ink): string[] {
  const blocking = filters.filter(({ sessions }) => sessions === 0).map(optionOf);
  const missing = words.filter(({ sessions }) => sessions === 0).map(({ word }) => `"${word}"`);
  const items = [
    ...(blocking.length > 0 ? [`search again without ${blocking.join(', ')}`] : []),
    missing.length > 0 && missing.length < words.length
      ? `search again without ${missing.join(', ')}, or with other words instead`
      : 'search again with other words, or fewer',
    'browse recent sessions: smart-fork sessions',
    'start a fresh session',
  ];
  const mark = `  ${ink.symbols.bullet} `;
  return items.flatMap((item) =>
    wrap(item, ink.columns - mark.length).map((line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line),
  );
}

import { partNotices } from '../../domain/outage.ts';
import { isWeak } from '../../domain/search/certainty.ts';
import type { Notice, SearchResponse } from '../../domain/search-result.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { foundText } from '../../domain/text/found-text.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { duration, plural } from '../../domain/text/time-text.ts';
import { noticeLines } from '../shared/notices.ts';
import { flow } from '../terminal/flow.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { displayWidth, truncate, wrap } from '../terminal/width.ts';
import { noResultLines, weakResultLines } from './no-result-lines.ts';
import { queryText } from './query-text.ts';
import { searchResultLines } from './result-lines.ts';

interface RenderSearchOptions {
  nowMs: number;
  /** Show the parts of each score. */
  explain?: boolean;
  /** Whether passages are shown whole. */
  whole?: boolean;
  /** Whether the sessions remain afterwards, so that commands for them can be run. */
  stays?: boolean;
}

export function renderSearch(response: SearchResponse, look: Look, options: RenderSearchOptions): string {
  const ink = createInk(look);
  const { first: top, others } = partNotices(worthSaying(response));
  const last = noticeLines(others, ink);
  const body =
    response.results.length === 0
      ? noResultLines(response, ink)
      : [
          ...headerLines(response, ink),
          ...understoodLines(response, ink),
          ...preferredLines(response, ink),
          ...resultBlocks(response, ink, options),
          ...togetherLines(response, ink),
          ...closingLines(response, ink, options.stays ?? true),
        ];
  return [...noticeLines(top, ink), ...body, ...(last.length > 0 ? ['', ...last] : [])].join('\n');
}

/** If the results are good, advice to install the model is left out: the header says how they were found. It also says the fit. */
export function worthSaying({ notices, results, words, fit }: SearchResponse): Notice[] {
  const good = results.length > 0 && words === undefined;
  return notices.filter(({ code, message }) => !(good && code === 'KEYWORD_ONLY') && message !== fit?.text);
}

function headerLines(response: SearchResponse, ink: Ink): string[] {
  const { style, symbols, columns } = ink;
  const { fit } = response;
  const [before, after] =
    fit !== undefined && isWeak(fit)
      ? ['', `: ${fit.text}${/ are$/.test(fit.text) ? ':' : /\?$/.test(fit.text) ? '' : '.'}`]
      : [`${foundText(response.results.length, response.matched, plural)} for `, ''];
  const room = columns - displayWidth(before) - displayWidth(after) - '""'.length;
  const query = truncate(queryText(response), room, symbols.ellipsis);
  const how = [`${response.mode} search`, duration(response.took_ms)];
  if (response.ranking !== 'default') how.push(`${response.ranking} ranking`);
  const quoted = /^".*"$/.test(query) ? query : `"${query}"`;
  const pieces = [
    {
      text: query === '' ? 'The newest sessions' : before + quoted + after,
      paint: style.strong,
    },
    { text: how.join(symbols.separator), paint: style.dim },
  ];
  return flow(pieces, { text: '  ' }, columns, symbols.ellipsis);
}

/** Conditions in the query besides its topic: "Understood: since Nov 15 · not kubernetes". */
export function understoodLines(
  { understood }: { understood: { text: string; from: string | null }[] },
  { style, symbols, columns }: Ink,
): string[] {
  if (understood.length === 0) return [];
  const isFromWords = understood.some(({ from }) => from !== null);
  const pieces = [
    ...understood.map(({ text }, at) => ({
      text: `${at === 0 && isFromWords ? 'Understood: ' : ''}${sanitizeLine(text)}`,
      paint: style.accent,
    })),
    ...(isFromWords ? [{ text: '--literal searches for the words', paint: style.dim }] : []),
  ];
  return flow(pieces, { text: symbols.separator }, columns, symbols.ellipsis);
}

/** Says that the current repository was preferred, and how to switch that off. */
export function preferredLines(
  { preferred }: Pick<SearchResponse, 'preferred'>,
  { style, symbols, columns }: Ink,
): string[] {
  if (preferred === undefined) return [];
  const pieces = [
    { text: `sessions of ${sanitizeLine(preferred)} first`, paint: style.accent },
    { text: '--everywhere turns this off', paint: style.dim },
  ];
  return flow(pieces, { text: symbols.separator }, columns, symbols.ellipsis);
}

function resultBlocks(response: SearchResponse, ink: Ink, options: RenderSearchOptions): string[] {
  const { nowMs, explain = false, whole = false } = options;
  return response.results.flatMap((result) => [
    '',
    ...searchResultLines(result, ink, {
      nowMs,
      explain: explain ? response : null,
      whole,
    }),
  ]);
}

/** The results that answer the query together, and the command that prints their context. */
function togetherLines({ together }: SearchResponse, ink: Ink): string[] {
  if (together === undefined) return [];
  const ids = together.session_ids.map((id) => idToType(ink.shortId(id))).join(' ');
  return ['', ...wrap(`${together.text}: smart-fork retrieve ${ids}`, ink.columns).map(ink.style.accent)];
}

function closingLines(response: SearchResponse, ink: Ink, stays: boolean): string[] {
  const first = response.results[0];
  const weak = weakResultLines(response, ink);
  if (!first) return weak;
  const advice = stays
    ? `${whatCommandsDo(response)}, or read it first: smart-fork show ${idToType(ink.shortId(first.session_id))}`
    : 'With a session of your own, pasting its command forks it';
  return [...weak, '', ...wrap(advice, ink.columns).map(ink.style.dim)];
}

/** For a session that cannot be forked here, the command prints its context. */
function whatCommandsDo({ results }: SearchResponse): string {
  if (results.every(({ can_fork }) => can_fork)) return 'Paste a command to fork that session';
  if (results.some(({ can_fork }) => can_fork))
    return 'Paste a command to fork that session (retrieve: to print its context)';
  return 'Paste a command to print the context of that session';
}

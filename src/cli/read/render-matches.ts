import type { TurnMatch } from '../../app/read/match-turns.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import { passageLines } from '../search/passage-lines.ts';
import { titleOf } from '../shared/labels.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

const MAX_MATCHES = 10;
const WIDEST = 100;

/** The passages of a session that match a query, best turn first. */
export function renderMatches(
  { session, turns }: { session: SessionRecord; turns: unknown[] },
  { query, matches }: { query: string; matches: TurnMatch[] },
  look: Look,
): string {
  const ink = createInk(look);
  const { style, symbols, columns } = ink;
  const title = wrap(titleOf(session), columns).map(style.strong);
  if (matches.length === 0)
    return [...title, ...wrap(`No turn contains a word of "${sanitizeLine(query)}".`, columns)].join('\n');
  const shown = matches.slice(0, MAX_MATCHES);
  const best = shown[0]?.turn ?? 1;
  const id = idToType(ink.shortId(session.session_id));
  const blocks = shown.flatMap(({ turn, snippet }) => [
    '',
    style.dim(`turn ${turn} of ${turns.length}`),
    ...passageLines(snippet, ink, Math.min(columns, WIDEST) - 2).map(
      (line) => `${style.dim(symbols.gutter)} ${line}`,
    ),
  ]);
  const more = matches.length - shown.length;
  return [
    ...title,
    ...blocks,
    '',
    ...(more > 0 ? wrap(`${plural(more, 'more turn')} match fewer words.`, columns) : []),
    ...wrap(
      `Read a turn: smart-fork show ${id} --turn ${best}. Fork there: smart-fork fork ${id} --at ${best}`,
      columns,
    ).map(style.dim),
  ].join('\n');
}

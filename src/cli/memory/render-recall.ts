import type { RecalledLine, RecallResponse } from '../../domain/memory/memory-result.ts';
import { partNotices } from '../../domain/outage.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { understoodLines } from '../search/render-search.ts';
import { noticeLines } from '../shared/notices.ts';
import { flow } from '../terminal/flow.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';
import { commandLineOf, dayPieces, ideaLines, relationLines, sessionLines } from './idea-lines.ts';

export function renderRecall(response: RecallResponse, look: Look, nowMs: number): string {
  const ink = createInk(look);
  const { groups, understood } = response;
  const query = truncate(sanitizeLine(response.query), 2 * ink.columns, ink.symbols.ellipsis);
  const blocks = groups.flatMap(({ session, topic, lines }) => [
    '',
    ...sessionLines(session, topic, ink, nowMs),
    ...lines.flatMap((line) => recalledLines(line, session.session_id, ink)),
  ]);
  const body =
    groups.length === 0
      ? [
          ...wrap(`Past sessions don't say: nothing found for "${query}".`, ink.columns),
          ...understoodLines({ understood }, ink),
        ]
      : [
          ...(response.fits ? [] : wrap(`Past sessions may not say. Closest to "${query}":`, ink.columns)),
          ...understoodLines({ understood }, ink),
          ...blocks,
        ];
  const { first, others } = partNotices(response.notices);
  const notices = noticeLines(others, ink);
  const lines = [...noticeLines(first, ink), ...body, ...(notices.length > 0 ? ['', ...notices] : [])];
  return lines.slice(lines[0] === '' ? 1 : 0).join('\n');
}

function recalledLines(line: RecalledLine, session: string, ink: Ink): string[] {
  const command = commandLineOf(line.fork_command, ink);
  if (line.idea !== null)
    return [...ideaLines(line.idea, ink), ...relationLines(line.relations, session, ink), command];
  const { style, symbols, columns } = ink;
  const pieces = [
    { text: line.type, paint: style.accent },
    ...(line.turn === null ? [] : [{ text: `turn ${line.turn + 1}`, paint: style.dim }]),
    ...dayPieces(line.timestamp, ink),
  ];
  return [
    ...flow(pieces, { text: symbols.separator, paint: style.dim }, columns, symbols.ellipsis),
    ...wrap(sanitizeLine(line.text), Math.min(columns, 100) - 2).map((text) => `  ${text}`),
    command,
  ];
}

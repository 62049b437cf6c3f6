import type { RecalledAnswer, RecalledLine, RecallResponse } from '../../domain/memory/memory-result.ts';
import { NOTHING_RESTRICTED, partNotices } from '../../domain/outage.ts';
import { doubtText } from '../../domain/text/memory-text.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { preferredLines, understoodLines } from '../search/render-search.ts';
import { shortId, titleOf } from '../shared/labels.ts';
import { noticeLines } from '../shared/notices.ts';
import { flow } from '../terminal/flow.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';
import {
  commandLineOf,
  dayPieces,
  ideaLines,
  laterLines,
  relationLines,
  sessionLines,
  topicLines,
} from './idea-lines.ts';

export function renderRecall(response: RecallResponse, look: Look, nowMs: number): string {
  const ink = createInk(look);
  const { answers, groups, understood } = response;
  const query = truncate(sanitizeLine(response.query), 2 * ink.columns, ink.symbols.ellipsis);
  const printed = new Set<string>();
  const command = ({ fork_command }: Pick<RecalledLine, 'fork_command'>) => {
    if (printed.has(fork_command)) return [];
    printed.add(fork_command);
    return [commandLineOf(fork_command, ink)];
  };
  const answered = answers.flatMap((answer, at) => [
    ...answerLines(answer, isSameSession(answer, answers[at - 1]), ink),
    ...command(answer),
    '',
  ]);
  const related = groups.flatMap(({ session, topic, lines }, at) => [
    '',
    ...(isSameSession({ session }, groups[at - 1])
      ? topicLines(session, topic, ink)
      : sessionLines(session, topic, ink, nowMs)),
    ...lines.flatMap((line, index) => [
      ...recalledLines(line, session.session_id, ink),
      // Lines of one turn share the command, which may stand above.
      ...(lines[index + 1]?.fork_command === line.fork_command ? [] : command(line)),
    ]),
  ]);
  const isEmpty = answers.length + groups.length === 0;
  const isNothingOpen = response.notices.some(({ code }) => code === 'NOTHING_OPEN');
  const body = [
    ...(isEmpty && !isNothingOpen
      ? wrap(`Past sessions don't say: nothing found for "${query}".`, ink.columns)
      : []),
    ...(isEmpty || response.fits ? [] : [...wrap(doubt(response, query), ink.columns), '']),
    ...understoodLines({ understood }, ink),
    ...(isEmpty ? [] : preferredLines(response, ink)),
    ...(understood.length > 0 && answers.length > 0 ? [''] : []),
    ...answered,
    ...(answers.length > 0 && groups.length > 0 ? [ink.style.dim('Related:')] : []),
    ...related,
    ...otherLines(response, ink),
  ];
  const { first, others } = partNotices(response.notices);
  const notices = noticeLines(
    others.filter(({ code }) => code !== NOTHING_RESTRICTED && (isEmpty || code !== 'NOTHING_OPEN')),
    ink,
  );
  const lines = [...noticeLines(first, ink), ...body, ...(notices.length > 0 ? ['', ...notices] : [])];
  return lines
    .slice(lines[0] === '' ? 1 : 0)
    .join('\n')
    .trimEnd();
}

/** Sessions that search finds as well. */
function otherLines({ others, groups }: RecallResponse, ink: Ink): string[] {
  if (others.length === 0) return [];
  const names = others.map((session) => `${shortId(session.session_id)} ${titleOf(session)}`);
  return [
    ...(groups.length > 0 ? [''] : []),
    ink.style.dim('Also found:'),
    ...names.map((name) => ink.style.dim(truncate(`  ${name}`, ink.columns, ink.symbols.ellipsis))),
  ];
}

/** Why the lines may not answer: a filter in the question excludes them, nothing is open, or they say too little. */
function doubt(response: RecallResponse, query: string): string {
  const restriction = response.notices.find(({ code }) => code === NOTHING_RESTRICTED);
  return restriction === undefined
    ? `${doubtText(response)}. Closest to "${query}":`
    : `"${query}": ${restriction.message}.`;
}

function isSameSession({ session }: Of, before: Of | undefined): boolean {
  return before?.session.session_id === session.session_id;
}

type Of = Pick<RecalledAnswer, 'session'>;

/** The quotation, then where it is from and what it answers. */
function answerLines(
  { session, turn, timestamp, by, text, asked, ...rest }: RecalledAnswer,
  isNamed: boolean,
  ink: Ink,
): string[] {
  const { style, symbols, columns } = ink;
  const room = Math.min(columns, 100);
  const { idea } = rest;
  const pieces = [
    ...(idea === null ? [] : [{ text: idea.kind, paint: style.accent }]),
    { text: isNamed ? shortId(session.session_id) : `${shortId(session.session_id)} ${titleOf(session)}` },
    ...(isNamed ? [] : [{ text: sanitizeLine(session.repo_name), paint: style.accent }]),
    {
      text: turn === null ? 'a subagent' : `${by === 'user' ? 'you' : 'agent'}, turn ${turn + 1}`,
      paint: style.dim,
    },
    ...dayPieces(timestamp, ink),
    ...(idea === null || idea.origin === 'transcript'
      ? []
      : [{ text: `noted by the ${idea.origin}`, paint: style.dim }]),
  ];
  const question = asked === null ? [] : [truncate(`  to: ${sanitizeLine(asked)}`, room, symbols.ellipsis)];
  return [
    ...wrap(`"${sanitizeLine(text)}"`, room).map(style.strong),
    ...flow(pieces, { text: symbols.separator, paint: style.dim }, columns - 2, symbols.ellipsis).map(
      (line) => `  ${line}`,
    ),
    ...question.map(style.dim),
    ...laterLines(rest.later, session.session_id, ink),
    ...relationLines(rest.relations, session.session_id, ink),
  ];
}

function recalledLines(line: RecalledLine, session: string, ink: Ink): string[] {
  if (line.idea !== null)
    return [...ideaLines(line.idea, ink), ...relationLines(line.relations, session, ink)];
  const { style, symbols, columns } = ink;
  const pieces = [
    { text: line.type, paint: style.accent },
    ...(line.turn === null ? [] : [{ text: `turn ${line.turn + 1}`, paint: style.dim }]),
    ...dayPieces(line.timestamp, ink),
  ];
  return [
    ...flow(pieces, { text: symbols.separator, paint: style.dim }, columns, symbols.ellipsis),
    ...wrap(sanitizeLine(line.text), Math.min(columns, 100) - 2).map((text) => `  ${text}`),
  ];
}

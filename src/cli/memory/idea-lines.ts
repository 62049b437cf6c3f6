import type { IdeaView, LaterView, RelationView } from '../../domain/memory/memory-result.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { kindText, LATER_TEXTS, relationText } from '../../domain/text/memory-text.ts';
import { sanitizeCommand, sanitizeLine } from '../../domain/text/sanitize.ts';
import { timeAgo } from '../../domain/text/time-text.ts';
import { agentName, placeOf, shortId, titleOf } from '../shared/labels.ts';
import { flow, type Piece } from '../terminal/flow.ts';
import type { Ink } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';

/** Longer lines are hard to read, however wide the terminal. */
const WIDEST = 100;

/** The heading above a session's ideas: its title, where it is from, and the topic that they belong to. */
export function sessionLines(session: SessionCard, topic: string | null, ink: Ink, nowMs: number): string[] {
  const { style, symbols, columns } = ink;
  const title = titleOf(session);
  const facts: Piece[] = [
    { text: shortId(session.session_id), paint: style.dim },
    { text: sanitizeLine(session.repo_name), paint: style.accent },
    { text: timeAgo(session.ended_at ?? session.started_at, nowMs) },
    { text: agentName(session.agent), paint: style.dim },
    ...(session.local ? [] : [{ text: placeOf(session), paint: style.warn }]),
  ];
  return [
    style.strong(truncate(title, columns, symbols.ellipsis)),
    ...flow(facts, { text: symbols.separator, paint: style.dim }, columns, symbols.ellipsis),
    ...topicLines(session, topic, ink),
  ];
}

export function topicLines(
  session: SessionCard,
  topic: string | null,
  { style, symbols, columns }: Ink,
): string[] {
  if (topic === null || titleOf(session).startsWith(sanitizeLine(topic).slice(0, SAME))) return [];
  return [style.dim(truncate(`on: ${sanitizeLine(topic)}`, columns, symbols.ellipsis))];
}

/** Characters by which a topic is the session's title in other words. */
const SAME = 20;

/** "decision · turn 4 · Jan 15", then the text. */
export function ideaLines(idea: IdeaView, ink: Ink, options: { gone?: boolean } = {}): string[] {
  const { style, symbols, columns } = ink;
  const pieces: Piece[] = [
    { text: options.gone === true ? `${idea.kind}, replaced` : kindText(idea), paint: style.accent },
    { text: `turn ${idea.turn + 1}`, paint: style.dim },
    ...dayPieces(idea.timestamp, ink),
    ...(idea.origin === 'transcript' ? [] : [{ text: `noted by the ${idea.origin}`, paint: style.dim }]),
  ];
  const room = Math.min(columns, WIDEST) - 2;
  const paint = options.gone === true ? style.gone : (text: string) => text;
  const rest =
    idea.options.length === 0 ? [] : [`not: ${idea.options.map(sanitizeLine).join(symbols.separator)}`];
  return [
    ...flow(pieces, { text: symbols.separator, paint: style.dim }, columns, symbols.ellipsis),
    ...wrap(sanitizeLine(idea.content), room).map((line) => `  ${paint(line)}`),
    ...rest.flatMap((text) => wrap(text, room).map((line) => `  ${style.dim(line)}`)),
  ];
}

export function dayPieces(timestamp: string | null, { style }: Ink): Piece[] {
  return timestamp === null ? [] : [{ text: timestamp.slice(0, 10), paint: style.dim }];
}

/** The ideas that an idea replaced, answers or builds on, printed below it. */
export function relationLines(relations: RelationView[], own: string, ink: Ink): string[] {
  const { style, symbols, columns } = ink;
  return relations.map(({ kind, reversed, idea }) => {
    const place = idea.session_id === own ? '' : ` ${otherSession(idea, ink)}`;
    const at =
      idea.session_id === '' ? ` ${idea.entities[0]?.replace(':', ' ')}` : `${place}, turn ${idea.turn + 1}`;
    const label = `${symbols.arrow} ${relationText(kind, reversed)}${at}: `;
    const text = truncate(
      sanitizeLine(idea.content),
      Math.max(10, Math.min(columns, WIDEST) - 2 - label.length),
      symbols.ellipsis,
    );
    const isGone = kind === 'supersedes' && !reversed;
    return `  ${style.dim(label)}${isGone ? style.gone(text) : style.dim(text)}`;
  });
}

/** What is said after a quotation that it may not hold. */
export function laterLines(later: LaterView | null, own: string, ink: Ink): string[] {
  if (later === null) return [];
  const { style, symbols, columns } = ink;
  const { why, session_id, turn, timestamp, text } = later;
  const place = session_id === own ? '' : ` ${otherSession(later, ink)}`;
  const day = timestamp === null ? '' : `, ${timestamp.slice(0, 10)}`;
  const line = `${symbols.arrow} ${LATER_TEXTS[why]}${place}, turn ${turn + 1}${day}: ${sanitizeLine(text)}`;
  const room = Math.min(columns, WIDEST) - 2;
  return wrap(truncate(line, 2 * room - 10, symbols.ellipsis), room).map((one) => `  ${style.warn(one)}`);
}

export function commandLineOf(command: string, { style }: Ink): string {
  return `  ${style.command(sanitizeCommand(command))}`;
}

const LONGEST_NAME = 40;

/** `[8402b1ed Mend the login]`. */
function otherSession(
  { session_id, session_title }: Pick<IdeaView, 'session_id' | 'session_title'>,
  { symbols }: Ink,
): string {
  const name =
    session_title === undefined
      ? ''
      : ` ${truncate(sanitizeLine(session_title), LONGEST_NAME, symbols.ellipsis)}`;
  return `[${shortId(session_id)}${name}]`;
}

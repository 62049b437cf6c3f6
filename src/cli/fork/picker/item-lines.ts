import { AGENTS } from '../../../domain/agent/agents.ts';
import { matchText } from '../../../domain/search/certainty.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../../domain/text/time-text.ts';
import { agentName, placeOf, titleOf } from '../../shared/labels.ts';
import { flow, type Piece } from '../../terminal/flow.ts';
import { truncate, wrap } from '../../terminal/width.ts';
import type { Item, PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** At this width, most titles fit on one line. */
const ROOM_FOR_TITLE = 60;
const TITLE_LINES_IN_VIEW = 4;

/** One item of the list: a title and a line about it, or one line. */
export function itemLines(
  item: Item,
  place: number,
  state: PickerState,
  context: ScreenContext,
  width: number,
): string[] {
  const { style, symbols } = context.ink;
  const isChosen = place === state.cursor;
  const number = `${place + 1}.`;
  const indent = number.length + 3;
  const [head = '', ...rest] = textLines(item, state, context, width - indent, isChosen);
  const mark = `${isChosen ? symbols.pointer : ' '} ${number} `;
  return [(isChosen ? style.accent(mark) : mark) + head, ...rest.map((line) => ' '.repeat(indent) + line)];
}

function textLines(
  item: Item,
  state: PickerState,
  context: ScreenContext,
  room: number,
  isChosen: boolean,
): string[] {
  const { style, symbols } = context.ink;
  const paint = (text: string) => (isChosen ? style.accent(style.strong(text)) : text);
  if (item.kind === 'result') {
    const most = isChosen ? TITLE_LINES_IN_VIEW : room < ROOM_FOR_TITLE ? 2 : 1;
    return [
      ...titleLines(titleOf(item.result), room, most, symbols.ellipsis).map(paint),
      ...aboutLine(item.result, context, room),
    ];
  }
  const [name, purpose] = FIXED[item.kind](item.kind === 'refine' ? item.text : chatRank(state));
  const text = truncate(sanitizeLine(name), room, symbols.ellipsis);
  const left = room - text.length - 3;
  return [paint(text) + (left >= 10 ? style.dim(`   ${truncate(purpose, left, symbols.ellipsis)}`) : '')];
}

/** The name and description of each fixed item. */
const FIXED: Record<Exclude<Item['kind'], 'result'>, (text: string) => [string, string]> = {
  fresh: () => ['Start a fresh session', 'fork none of these'],
  refine: (text) =>
    text === ''
      ? ['Search for something else', 'type to filter these, or other words']
      : [`Search for "${text}"`, 'instead of filtering'],
  chat: (rank) => [`Read this session first${rank}`, 'what it did, turn by turn'],
};

function chatRank({ results, about }: PickerState): string {
  const place = results.findIndex(({ session_id }) => session_id === about);
  return place < 0 || results.length < 2 ? '' : ` (${place + 1})`;
}

function titleLines(title: string, room: number, most: number, ellipsis: string): string[] {
  const lines = wrap(title, room);
  if (lines.length <= most) return lines;
  const rest = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), truncate(rest, room, ellipsis)];
}

/** "Recommended · 2 weeks ago · dashboard · 87 messages · 8402b1ed", as much as fits on one line. */
function aboutLine(result: SearchResult, { nowMs, ink }: ScreenContext, room: number): string[] {
  const { style, symbols } = ink;
  const match = matchText(result.strength);
  const badge = `${symbols.star} Recommended${symbols.separator}${match}`;
  const pieces: Piece[] = [
    ...(result.recommended ? [{ text: badge, paint: style.badge }] : []),
    ...(result.recommended || match === '' ? [] : [{ text: match, paint: style.dim }]),
    ...[
      timeAgo(result.ended_at ?? result.started_at, nowMs),
      sanitizeLine(result.repo_name),
      ...(result.local ? [] : [placeOf(result)]),
      ...(result.family === undefined ? [] : [`+ ${result.family.length} like it`]),
      plural(result.message_count, 'message'),
      ...(result.agent === AGENTS[0] ? [] : [agentName(result.agent)]),
      ink.shortId(result.session_id),
    ].map((text) => ({ text, paint: style.dim })),
  ];
  return flow(pieces, { text: symbols.separator, paint: style.dim }, room, symbols.ellipsis).slice(0, 1);
}

import { AGENTS } from '../../../domain/agent/agents.ts';
import { optionFacts } from '../../../domain/search/fork-options.ts';
import { matchLabel } from '../../../domain/search/match-label.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { agentName, placeOf, titleOf } from '../../shared/labels.ts';
import { flow, type Piece } from '../../terminal/flow.ts';
import { displayWidth, truncate, wrap } from '../../terminal/width.ts';
import { aboutResult, type Item, type PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** At this width, most titles fit on one line. */
const ROOM_FOR_TITLE = 60;
const INDENT = 5;

/** One item: a title and a line about it, or one line. */
export function itemLines(
  item: Item,
  place: number,
  state: PickerState,
  context: ScreenContext,
  width: number,
): string[] {
  const { style, symbols } = context.ink;
  const isChosen = place === state.cursor;
  const digit = 'digit' in item && item.digit !== null ? `${item.digit}.` : '';
  const indent = state.page === 'list' ? 2 : INDENT;
  const label = `${isChosen ? symbols.pointer : ' '} ${digit}`;
  const mark =
    label.length < indent ? label.padEnd(indent) : digit === '' ? label : `${digit} `.padStart(indent);
  const [head = '', ...rest] = textLines(item, state, context, width - indent, isChosen);
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
  if (item.kind === 'session') {
    const most = room < ROOM_FOR_TITLE || (isChosen && state.page === 'choices') ? 2 : 1;
    return [
      ...titleLines(titleOf(item.result), room, most, symbols.ellipsis).map(paint),
      ...aboutLine(item.result, context, room, item.digit !== null),
    ];
  }
  const [name, purpose] = wordsOf(item, state, symbols.ellipsis);
  const text = truncate(name, room, symbols.ellipsis);
  const left = room - text.length - 3;
  const isRoom = purpose !== '' && left >= 10;
  return [paint(text) + (isRoom ? style.dim(`   ${truncate(purpose, left, symbols.ellipsis)}`) : '')];
}

function wordsOf(
  item: Exclude<Item, { kind: 'session' }>,
  state: PickerState,
  ellipsis: string,
): [name: string, purpose: string] {
  switch (item.kind) {
    case 'chat': {
      const rank = state.results.length < 2 ? '' : ` (${aboutResult(state)?.rank})`;
      return [`Read this session first${rank}`, ''];
    }
    case 'more': {
      const count = item.count === 0 ? '' : `${item.count}${state.more ? '+' : ''} other sessions`;
      return [item.name.replace('…', ellipsis), item.count === 1 && !state.more ? '1 other session' : count];
    }
    case 'leave':
      return [item.name, ''];
    default:
      return [item.name, item.purpose];
  }
}

function titleLines(title: string, room: number, most: number, ellipsis: string): string[] {
  const lines = wrap(title, room);
  if (lines.length <= most) return lines;
  const rest = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), truncate(rest, room, ellipsis)];
}

/** "★ Recommended · 8402b1ed · 2 weeks ago · 87% · dashboard · best semantic match", as much as fits on one line. */
function aboutLine(
  result: SearchResult,
  { nowMs, ink }: ScreenContext,
  room: number,
  isOffered: boolean,
): string[] {
  const { style, symbols } = ink;
  const choosable = {
    ...result,
    certainty: isOffered ? result.certainty : null,
    date: result.ended_at ?? result.started_at,
  };
  const isBadge = isOffered && result.recommended;
  const badge = room < ROOM_FOR_TITLE ? symbols.star : `${symbols.star} Recommended`;
  const facts = optionFacts(choosable, { nowMs, shortId: ink.shortId });
  const before = [...(isBadge ? [badge] : []), ...facts.slice(0, -1), ''].join(symbols.separator);
  const repository = truncate(facts.at(-1) ?? '', room - displayWidth(before), symbols.ellipsis);
  const pieces: Piece[] = [
    ...(isBadge ? [{ text: badge, paint: style.badge }] : []),
    ...[
      ...facts.slice(0, -1),
      repository,
      ...(result.local ? [] : [placeOf(result)]),
      ...(isOffered && result.certainty !== null ? [matchLabel(result)] : []),
      ...(result.family === undefined ? [] : [`+ ${result.family.length} like it`]),
      plural(result.message_count, 'message'),
      ...(result.agent === AGENTS[0] ? [] : [agentName(result.agent)]),
    ]
      .filter((text) => text !== '')
      .map((text) => ({ text, paint: style.dim })),
  ];
  return flow(pieces, { text: symbols.separator, paint: style.dim }, room, symbols.ellipsis).slice(0, 1);
}

import type { SearchResult } from '../../../domain/result.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../../domain/text/time-text.ts';
import { agentName, placeOf, shortId, titleOf } from '../../shared/labels.ts';
import type { Ink } from '../../terminal/ink.ts';
import { displayWidth, truncate } from '../../terminal/width.ts';
import { boxLines } from './box-lines.ts';
import type { Item, PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** One item of the list: two lines, or the box of "Chat about this". */
export function itemLines(
  item: Item,
  place: number,
  state: PickerState,
  context: ScreenContext,
  width: number,
): string[] {
  const { ink } = context;
  const chosen = place === state.cursor;
  if (item.kind === 'chat') return chatLines(chosen, state, ink, width);
  const number = `${place + 1}.`;
  const pointer = chosen ? ink.symbols.pointer : ' ';
  const indent = number.length + 3;
  const [head, below] = textOf(item, context, width - indent);
  const mark = chosen ? ink.style.accent(`${pointer} ${number}`) : `${pointer} ${number}`;
  return [`${mark} ${chosen ? ink.style.accent(head) : head}`, ' '.repeat(indent) + below];
}

function textOf(
  item: Exclude<Item, { kind: 'chat' }>,
  context: ScreenContext,
  room: number,
): [string, string] {
  const { ink } = context;
  const fit = (text: string) => truncate(text, room, ink.symbols.ellipsis);
  if (item.kind === 'fresh')
    return ['None - start fresh', ink.style.dim(fit("Don't fork any session, start with no prior context"))];
  if (item.kind === 'refine') return ['Type something.', ink.style.dim(fit('Custom input or refine search'))];
  return [fit(headOf(item.result, context)), aboutOf(item.result, context, room)];
}

/** "#1: 8402b1ed (Recommended) · 2 weeks ago · 87 messages · dashboard". */
function headOf(result: SearchResult, { nowMs, ink }: ScreenContext): string {
  const badge = result.recommended ? ' (Recommended)' : '';
  const facts = [
    `#${result.rank}: ${shortId(result.session_id)}${badge}`,
    timeAgo(result.ended_at ?? result.started_at, nowMs),
    plural(result.message_count, 'message'),
    sanitizeLine(result.repo_name),
    ...(result.agent === 'codex' ? [agentName(result.agent)] : []),
    ...(result.local ? [] : [placeOf(result)]),
  ];
  return facts.join(ink.symbols.separator);
}

/** The title and why the session matched. The title is cut first. */
function aboutOf(result: SearchResult, { confidence, ink }: ScreenContext, room: number): string {
  const sure = result.rank === 1 && confidence !== null ? ` (${Math.round(confidence)}% sure)` : '';
  const reason = ` - ${matchOf(result)}${sure}`;
  const title = truncate(titleOf(result), Math.max(10, room - displayWidth(reason)), ink.symbols.ellipsis);
  return title + ink.style.dim(truncate(reason, room - displayWidth(title), ''));
}

function matchOf(result: SearchResult): string {
  if (result.markers.includes('WORKING_SOLUTION')) return 'working solution';
  if (Object.keys(result.scores.parts).length === 0) return 'recent';
  const { chunk_words = 0, session_words = 0, chunk_vectors = 0, intent_vectors = 0 } = result.scores.parts;
  const byMeaning = Math.max(chunk_vectors, intent_vectors) > Math.max(chunk_words, session_words);
  const kind = byMeaning ? 'semantic match' : 'keyword match';
  return result.rank === 1 ? `best ${kind}` : kind;
}

function chatLines(chosen: boolean, state: PickerState, ink: Ink, width: number): string[] {
  const about = state.results.find(({ session_id }) => session_id === state.about) ?? state.results[0];
  const rank = about === undefined || state.results.length < 2 ? '' : ` (#${about.rank})`;
  const pointer = chosen ? ink.symbols.pointer : ' ';
  const text = `Chat about this${rank}`;
  const inBox = state.view === 'list' && state.filter === '' && !state.typing;
  const lines = inBox
    ? boxLines(chosen ? `${pointer} ${text}` : text, width, ink, false)
    : [`${pointer} ${text}`];
  return chosen ? lines.map(ink.style.accent) : lines;
}

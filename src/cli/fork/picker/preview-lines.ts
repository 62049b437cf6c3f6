import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { dateTime, plural } from '../../../domain/text/time-text.ts';
import { passageLines } from '../../search/passage-lines.ts';
import { agentName, familyText, placeOf, titleOf } from '../../shared/labels.ts';
import { flow } from '../../terminal/flow.ts';
import type { Ink } from '../../terminal/ink.ts';
import { wrap } from '../../terminal/width.ts';
import { factLines, workOf } from './fact-lines.ts';
import { type PickerState, resultInView } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** The preview of the result in view. `withTitle` is false next to a list that shows the whole title. */
export function previewLines(
  state: PickerState,
  context: ScreenContext,
  width: number,
  { withTitle }: { withTitle: boolean },
): string[] {
  const { ink, description } = context;
  const result = resultInView(state);
  if (result === null) return [];
  const title = withTitle ? wrap(titleOf(result), width).slice(0, 4).map(ink.style.strong) : [];
  const family = familyText(result, ink);
  const head = [
    ...title,
    ...aboutLines(result, ink, width),
    ...(family === '' ? [] : wrap(family, width).map(ink.style.dim)),
    '',
  ];
  if (description === null) {
    const snippet = { text: result.snippet, ranges: result.snippet_ranges };
    return [...head, ...passageLines(snippet, ink, width)];
  }
  const matches = matchLines(description, ink, width);
  return [
    ...head,
    ...matches,
    ...(matches.length > 0 ? [''] : []),
    ...factLines(workOf(description, ink), ink, width),
  ];
}

function aboutLines(result: SearchResult, ink: Ink, width: number): string[] {
  const { style, symbols } = ink;
  const pieces = [
    dateTime(result.ended_at ?? result.started_at),
    plural(result.message_count, 'message'),
    sanitizeLine(result.repo_name),
    sanitizeLine(result.branch ?? ''),
    agentName(result.agent),
    ...(result.local ? [] : [placeOf(result)]),
    ink.shortId(result.session_id),
  ]
    .filter((text) => text !== '')
    .map((text) => ({ text, paint: style.dim }));
  return flow(pieces, { text: symbols.separator, paint: style.dim }, width, symbols.ellipsis);
}

/** The best match, at the turn that a fork is offered at if there is one. */
function matchLines({ matches, turns, forkAt }: SessionDescription, ink: Ink, width: number): string[] {
  const match = matches.find(({ turn }) => turn === forkAt) ?? matches[0];
  if (match === undefined) return [];
  return [
    ink.style.dim(`turn ${match.turn} of ${turns.length}`),
    ...passageLines(match.snippet, ink, width - 2).map(
      (line) => `${ink.style.dim(ink.symbols.gutter)} ${line}`,
    ),
  ];
}

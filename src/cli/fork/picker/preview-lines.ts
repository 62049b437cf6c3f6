import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { dateAndAge, dateTime, plural } from '../../../domain/text/time-text.ts';
import { passageLines } from '../../search/passage-lines.ts';
import { agentName, familyText, placeOf, titleOf } from '../../shared/labels.ts';
import { flow } from '../../terminal/flow.ts';
import type { Ink } from '../../terminal/ink.ts';
import { padEnd, wrap } from '../../terminal/width.ts';
import { type PickerState, resultInView } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

const LABEL = 11;
const MAX_MATCHES = 4;
const MAX_FILES = 10;
const MAX_COMMITS = 6;

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

export type Fact = [label: string, values: string[]];

export function factsOf(
  { session, parent, local, restorable }: SessionDescription,
  nowMs: number,
  ink: Ink,
): Fact[] {
  const ended = session.ended_at ?? session.started_at;
  return [
    ['When', [`${dateAndAge(ended, nowMs)}, ${plural(session.message_count, 'message')}`]],
    [
      'Where',
      [session.repo_key ?? session.repo_name, ...(session.branch ? [`branch ${session.branch}`] : [])],
    ],
    [
      'Agent',
      [
        agentName(session.agent),
        ...(local
          ? []
          : [
              restorable
                ? 'restorable: its transcript is archived'
                : `on ${session.machine}, not on this machine`,
            ]),
      ],
    ],
    [
      'Fork of',
      session.parent === null
        ? []
        : [`${ink.shortId(session.parent.session_id)} ${parent === null ? '' : titleOf(parent)}`.trim()],
    ],
  ];
}

export function workOf({ session, looseEnds, forks }: SessionDescription, ink: Ink): Fact[] {
  const files = session.files_touched.slice(0, MAX_FILES);
  const moreFiles = session.files_touched.length - files.length;
  return [
    ['Files', [[...files, ...(moreFiles > 0 ? [`and ${moreFiles} more`] : [])].join(', ')]],
    [
      'Commits',
      session.commits.slice(-MAX_COMMITS).map(({ hash, subject }) => `${hash.slice(0, 8)} ${subject}`),
    ],
    ['Ended', [session.outcome]],
    ['Open', looseEnds],
    ['Forks', forks.map((fork) => `${ink.shortId(fork.session_id)} ${titleOf(fork)} (${fork.outcome})`)],
  ];
}

/** One line per fact that has a value. */
export function factLines(facts: Fact[], ink: Ink, width: number): string[] {
  return facts.flatMap(([label, values]) =>
    values
      .map(sanitizeLine)
      .filter((value) => value !== '')
      .flatMap((value) => wrap(value, width - LABEL))
      .map((line, i) => ink.style.dim(padEnd(i === 0 ? label : '', LABEL)) + line),
  );
}

function matchLines({ matches, turns }: SessionDescription, ink: Ink, width: number): string[] {
  return matches
    .slice(0, MAX_MATCHES)
    .flatMap(({ turn, snippet }) => [
      ink.style.dim(`turn ${turn} of ${turns.length}`),
      ...passageLines(snippet, ink, width - 2).map((line) => `${ink.style.dim(ink.symbols.gutter)} ${line}`),
    ]);
}

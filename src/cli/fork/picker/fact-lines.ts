import type { SessionDescription } from '../../../app/read/describe-session.ts';
import { commitText } from '../../../domain/session/commit-hash.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { dateAndAge, plural } from '../../../domain/text/time-text.ts';
import { agentName, titleOf } from '../../shared/labels.ts';
import type { Ink } from '../../terminal/ink.ts';
import { padEnd, wrap } from '../../terminal/width.ts';

export const LABEL = 11;
const MAX_FILES = 10;
const MAX_COMMITS = 6;

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

export function workOf({ session, open, forks }: SessionDescription, ink: Ink): Fact[] {
  const files = session.files_touched.slice(0, MAX_FILES);
  const moreFiles = session.files_touched.length - files.length;
  return [
    ['Files', [[...files, ...(moreFiles > 0 ? [`and ${moreFiles} more`] : [])].join(', ')]],
    ['Commits', session.commits.slice(-MAX_COMMITS).map((commit) => commitText(commit))],
    ['Ended', [session.outcome]],
    ['Open', open],
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

import type { Maker } from '../../app/trace/find-makers.ts';
import type { TracedCommit } from '../../app/trace/trace-commit.ts';
import type { TracedFile, TracedLines } from '../../app/trace/trace-lines.ts';
import { nowText } from '../../domain/session/commit-hash.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../domain/text/time-text.ts';
import { agentName, placeOf, titleOf } from '../shared/labels.ts';
import { flow } from '../terminal/flow.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';

const INDENT = '  ';
const MAX_RUNS = 6;

export function renderTracedCommit({ commit, sessions }: TracedCommit, look: Look, nowMs: number): string {
  const ink = createInk(look);
  const title = `Commit ${commit.hash.slice(0, 8)}${commit.subject === null ? '' : `: ${commit.subject}`}`;
  const subject = commit.subject === null ? null : sanitizeLine(commit.subject);
  return [...headLines(title, ink), ...makerLines(sessions, subject, ink, nowMs)].join('\n');
}

export function renderTracedFile({ file, commits, left }: TracedFile, look: Look, nowMs: number): string {
  const ink = createInk(look);
  const blocks = commits.flatMap((group, at) => [
    ...(at > 0 ? [''] : []),
    ...headLines(titleOfLines(file, group, ink, nowMs), ink),
    ...makerLines(group.sessions, null, ink, nowMs),
  ]);
  const rest =
    left === 0
      ? []
      : [
          '',
          ink.style.dim(
            `${plural(left, 'more commit')} not looked up: give a narrower range, FILE:FIRST-LAST.`,
          ),
        ];
  return commits.length === 0 ? `${sanitizeLine(file)} is empty.` : [...blocks, ...rest].join('\n');
}

function titleOfLines(file: string, { commit, lines }: TracedLines, { symbols }: Ink, nowMs: number): string {
  const runs = lines.slice(0, MAX_RUNS).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  const more = lines.length > MAX_RUNS ? `,${symbols.ellipsis}` : '';
  const made =
    commit === null
      ? 'not committed yet'
      : `${commit.hash.slice(0, 8)} ${commit.subject} (${timeAgo(commit.time, nowMs)})`;
  return `${file}:${runs.join(',')}${more}  ${made}`;
}

function headLines(title: string, { style, columns }: Ink): string[] {
  return wrap(sanitizeLine(title), columns).map(style.strong);
}

/** `above`: the line above, which a title must not repeat. */
function makerLines(sessions: Maker[], above: string | null, ink: Ink, nowMs: number): string[] {
  if (sessions.length === 0) return [`${INDENT}no indexed session`];
  return sessions.flatMap((session) => oneMakerLines(session, above, ink, nowMs));
}

const WHY: Record<Maker['by'], string> = {
  hash: 'made it',
  subject: 'made a commit with this subject',
  named: 'names it',
  time: 'probably: worked on it at that time',
};

function oneMakerLines(session: Maker, above: string | null, ink: Ink, nowMs: number): string[] {
  const { style, symbols, columns } = ink;
  const { replaced_by } = session;
  const facts = [
    {
      text: `${WHY[session.by]}${replaced_by === undefined ? '' : nowText(replaced_by.slice(0, 8))}`,
      paint: session.by === 'time' ? style.warn : style.good,
    },
    { text: ink.shortId(session.session_id), paint: style.dim },
    { text: agentName(session.agent), paint: style.dim },
    { text: timeAgo(session.ended_at ?? session.started_at, nowMs) },
    ...(session.local ? [] : [{ text: placeOf(session), paint: style.warn }]),
  ];
  const separator = { text: symbols.separator, paint: style.dim };
  return [
    ...(titleOf(session) === above
      ? []
      : [INDENT + truncate(titleOf(session), columns - INDENT.length, symbols.ellipsis)]),
    ...flow(facts, separator, columns - INDENT.length, symbols.ellipsis).map((line) => INDENT + line),
    style.command(sanitizeLine(session.fork_command)),
  ];
}

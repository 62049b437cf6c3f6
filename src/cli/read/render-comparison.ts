import type { Comparison, Saying, Shared } from '../../app/read/compare-sessions.ts';
import { commitText } from '../../domain/session/commit-hash.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../domain/text/time-text.ts';
import { titleOf } from '../shared/labels.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';

/** Maximum number of entries per list. */
const MAX_ENTRIES = 12;

/** Compares two sessions, called A and B. */
export function renderComparison(comparison: Comparison, look: Look, { nowMs }: { nowMs: number }): string {
  const ink = createInk(look);
  const { sessions, common_turns, asked, decided, files, commits } = comparison;
  const [first, second] = sessions;
  return [
    ...headLines('A', first, nowMs, ink),
    ...headLines('B', second, nowMs, ink),
    ...kinshipLines(first, second, common_turns, ink),
    ...section('Asked', ink, [
      ...listLines('A', asked.first.map(sayingText), ink),
      ...listLines('B', asked.second.map(sayingText), ink),
    ]),
    ...section('Decided', ink, [
      ...listLines('A', decided.first.map(sayingText), ink),
      ...listLines('B', decided.second.map(sayingText), ink),
    ]),
    ...section(
      'Changed',
      ink,
      sharedLines(files, (file) => file, ink),
    ),
    ...section(
      'Committed',
      ink,
      sharedLines(commits, (commit) => commitText(commit), ink),
    ),
  ].join('\n');
}

function headLines(name: string, session: SessionRecord, nowMs: number, ink: Ink): string[] {
  const { style, columns } = ink;
  const { session_id, repo_name, branch, ended_at, started_at, message_count } = session;
  const last = ended_at ?? started_at;
  const facts = [
    ink.shortId(session_id),
    sanitizeLine(repo_name),
    ...(branch === null ? [] : [sanitizeLine(branch)]),
    ...(last === null ? [] : [timeAgo(last, nowMs)]),
    plural(message_count, 'message'),
  ];
  return [
    ...wrap(`${name}  ${titleOf(session)}`, columns).map(style.strong),
    ...wrap(`   ${facts.join(', ')}`, columns).map(style.dim),
  ];
}

function kinshipLines(first: SessionRecord, second: SessionRecord, turns: number, ink: Ink): string[] {
  if (turns === 0) return [];
  const kinship = isForkOf(second, first)
    ? 'B is a fork of A'
    : isForkOf(first, second)
      ? 'A is a fork of B'
      : 'both have the same beginning';
  return ['', ...wrap(`${kinship}: ${plural(turns, 'turn')} in common, not shown below.`, ink.columns)];
}

function isForkOf(session: SessionRecord, other: SessionRecord): boolean {
  return session.parent?.session_id === other.session_id;
}

function section(title: string, { style }: Ink, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', style.strong(title), ...lines];
}

function sharedLines<T>({ both, first, second }: Shared<T>, text: (item: T) => string, ink: Ink): string[] {
  return [
    ...listLines('both', both.map(text), ink),
    ...listLines('only A', first.map(text), ink),
    ...listLines('only B', second.map(text), ink),
  ];
}

function listLines(name: string, items: string[], { style, columns, symbols }: Ink): string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_ENTRIES;
  return [
    style.dim(`  ${name}`),
    ...items
      .slice(0, MAX_ENTRIES)
      .map((item) => truncate(`    ${sanitizeLine(item)}`, columns, symbols.ellipsis)),
    ...(more > 0 ? [style.dim(`    and ${more} more`)] : []),
  ];
}

function sayingText({ turn, text }: Saying): string {
  return `${turn}. ${text}`;
}

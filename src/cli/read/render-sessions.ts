import type { SessionCard } from '../../domain/summary.ts';
import { costText } from '../../domain/text/cost-text.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, messagesText, timeAgo } from '../../domain/text/time-text.ts';
import { agentName, placeOf, titleOf } from '../shared/labels.ts';
import { flow } from '../terminal/flow.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { truncate } from '../terminal/width.ts';

type ListedSession = SessionCard & { cost?: number; unpriced_requests?: number; partial_requests?: number };

/** A list of sessions: one row each, or two lines each below 60 columns. */
export function renderSessions(sessions: ListedSession[], look: Look, options: { nowMs: number }): string {
  const ink = createInk(look);
  if (sessions.length === 0) return 'No sessions.';
  if (ink.columns < NARROW)
    return sessions.flatMap((session) => narrowLines(session, ink, options.nowMs)).join('\n');
  const fields = FIELDS.filter(({ from, when = () => true }) => ink.columns >= from && sessions.some(when));
  const columns = fields.map(({ column }) => column(ink));
  const rows = sessions.map((session) => fields.map(({ cell }) => cell(session, options.nowMs, ink)));
  const [header = '', ...lines] = tableLines(columns, rows, ink);
  return [ink.style.dim(header), ...lines].join('\n');
}

const NARROW = 60;
const MEDIUM = 90;
const WIDE = 130;
const VERY_WIDE = 160;

interface Field {
  /** Minimum terminal width at which the field is shown. */
  from: number;
  /** Shown if this holds for any session. */
  when?(session: ListedSession): boolean;
  column(ink: Ink): Column;
  cell(session: ListedSession, nowMs: number, ink: Ink): string;
}

const FIELDS: Field[] = [
  {
    from: 0,
    column: ({ style }) => ({ header: 'id', paint: style.accent }),
    cell: ({ session_id }, _, ink) => ink.shortId(session_id),
  },
  {
    from: 0,
    column: () => ({ header: 'when' }),
    cell: (session, nowMs) => timeAgo(session.ended_at ?? session.started_at, nowMs),
  },
  {
    from: 0,
    column: ({ columns }) => ({ header: 'repository', max: columns >= MEDIUM ? 20 : 16 }),
    cell: ({ repo_name }) => sanitizeLine(repo_name),
  },
  {
    from: WIDE,
    column: () => ({ header: 'branch', max: 20 }),
    cell: ({ branch }) => sanitizeLine(branch ?? ''),
  },
  {
    from: MEDIUM,
    column: ({ style }) => ({ header: 'outcome', paint: style.dim }),
    cell: ({ outcome }) => outcome,
  },
  {
    from: VERY_WIDE,
    column: ({ style }) => ({ header: 'agent', max: 24, paint: style.dim }),
    cell: (session) => agentName(session.agent) + (session.local ? '' : ` ${placeOf(session)}`),
  },
  {
    from: MEDIUM,
    column: ({ style }) => ({ header: 'msgs', align: 'right', paint: style.dim }),
    cell: (session) => (messagesText(session) === '' ? '' : count(session.message_count)),
  },
  {
    from: 0,
    when: ({ unpriced_requests }) => unpriced_requests !== undefined,
    column: () => ({ header: 'cost', align: 'right' }),
    cell: ({ cost, unpriced_requests = 0, partial_requests }) =>
      cost === undefined && unpriced_requests === 0
        ? ''
        : costText({ cost, unpriced_requests, partial_requests }),
  },
  {
    from: 0,
    column: ({ style }) => ({ header: 'title', flexible: true, paint: style.strong }),
    cell: (session, _, ink) => titleWithTags(session, ink),
  },
];

function titleWithTags(session: SessionCard, ink: Ink): string {
  const { parent_session_id: parent } = session;
  const title = titleOf(session);
  return [
    ...(session.starred ? [ink.symbols.star] : []),
    // The plus sign in the title of a fork says the same.
    ...(parent === null
      ? [title]
      : [ink.symbols.fork, title.startsWith('+ ') ? title.slice(2) : title, `(of ${ink.named(parent)})`]),
    ...session.tags.map((tag) => `#${sanitizeLine(tag)}`),
    ...(session.note === null ? [] : [`(${sanitizeLine(session.note)})`]),
  ].join(' ');
}

function narrowLines(session: ListedSession, ink: Ink, nowMs: number): string[] {
  const { style, symbols, columns } = ink;
  const about = [
    { text: ink.shortId(session.session_id), paint: style.accent },
    { text: sanitizeLine(session.repo_name) },
    { text: timeAgo(session.ended_at ?? session.started_at, nowMs) },
    { text: messagesText(session) },
    { text: session.cost === undefined ? '' : costText({ unpriced_requests: 0, ...session }) },
  ].filter(({ text }) => text !== '');
  return [
    style.strong(truncate(titleWithTags(session, ink), columns, symbols.ellipsis)),
    ...flow(about, { text: symbols.separator, paint: style.dim }, columns - 2, symbols.ellipsis).map(
      (line) => `  ${line}`,
    ),
  ];
}

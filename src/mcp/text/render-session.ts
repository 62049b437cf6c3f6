import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { HISTORY_NOTICE } from '../../domain/own/context-text.ts';
import { commitText } from '../../domain/session/commit-hash.ts';
import { sanitizeCommand, sanitizeLine } from '../../domain/text/sanitize.ts';
import { dateTime, plural, timeAgo } from '../../domain/text/time-text.ts';
import { quoteLine } from './quote-line.ts';
import type { Outline } from './session-outline.ts';

interface SessionDetails extends Outline {
  session_id: string;
  agent_type: Agent;
  title: string;
  repo_name: string;
  branch: string | null;
  machine: string;
  working_directory: string;
  ended_at: string | null;
  message_count: number;
  outcome: string;
  tags: string[];
  note: string | null;
  parent_session_id: string | null;
  /** The title of that session. */
  forked_from?: string;
  files: string[];
  total_files: number;
  commits: { hash: string; subject: string }[];
  forks: { session_id: string; title: string }[];
  fork_command: string | null;
  in_session_command: string;
}

/** A session as text for a model: facts first, then a quoted outline. */
export function renderSession(session: SessionDetails, nowMs: number): string {
  const { files, total_files, turns, total_turns, next_turn } = session;
  const more = total_files > files.length ? ` and ${total_files - files.length} more` : '';
  const facts: [string, string | null][] = [
    ['Session', session.session_id],
    ['Agent', AGENT_ROWS[session.agent_type].name],
    ['Repository', `${session.repo_name}${session.branch === null ? '' : `, branch ${session.branch}`}`],
    ['Folder', `${session.working_directory} on ${session.machine}`],
    ['When', `${dateTime(session.ended_at)} (${timeAgo(session.ended_at, nowMs)})`],
    ['Messages', `${session.message_count}, ${session.outcome}`],
    ['Tags', session.tags.map((tag) => `#${tag}`).join(' ') || null],
    ['Note', session.note],
    [
      'Forked from',
      session.parent_session_id && `${session.parent_session_id} ${session.forked_from ?? ''}`.trim(),
    ],
    ['Forks', session.forks.map(({ session_id, title }) => `${session_id} ${title}`).join('; ') || null],
    ['Commits', session.commits.map((commit) => commitText(commit)).join('; ') || null],
    ['Files', files.length === 0 ? null : files.join(', ') + more],
    ['New terminal', session.fork_command ?? 'cannot be forked on this machine'],
    ['In this conversation', session.in_session_command],
  ];
  return [
    `# ${sanitizeLine(session.title)}`,
    '',
    ...facts.flatMap(([label, value]) => (value === null ? [] : [`- ${label}: ${sanitizeCommand(value)}`])),
    '',
    `> ${HISTORY_NOTICE}`,
    '',
    `## Outline (${plural(total_turns, 'turn')})`,
    ...turns.map(
      (turn) =>
        `${turn.turn}. ${quoteLine(turn.asked)} → ${quoteLine(turn.answered)} (${plural(turn.tool_calls, 'tool call')})`,
    ),
    ...(next_turn === null ? [] : [`… more with from_turn ${next_turn}`]),
    '',
    '## How it ended',
    ...session.ending.split('\n').map((line) => `> ${line}`),
  ].join('\n');
}

import type { SessionPayload } from '../point/point.ts';
import { commitText } from '../session/commit-hash.ts';
import { readMarks } from '../tags/marks.ts';
import { sanitize, sanitizeLine } from '../text/sanitize.ts';

interface ExportTurn {
  index: number;
  timestamp: string | null;
  before?: string;
  user: string;
  assistant: string;
  tools: string[];
}

/** The beginning of every exported file. A file that begins differently is not ours. */
export const EXPORT_MARK = '<!-- smart-fork export';

/** Increased when the same session must be written differently. */
const FORMAT = 1;

/** The facts at the top of a session's file. They identify the content: the same head means the same file. */
export function exportHead(session: SessionPayload): string {
  const fact = (label: string, value: string | null) =>
    value === null || value === '' ? [] : [`- ${label}: ${sanitizeLine(value)}`];
  const { tags, starred, note } = readMarks(session.tags);
  return [
    `${EXPORT_MARK} ${FORMAT}, ${sanitizeLine(session.content_hash)} -->`,
    '',
    `# ${sanitizeLine(session.title) || 'Untitled session'}`,
    '',
    ...fact('Session ID', session.session_id),
    ...fact('Agent', session.agent),
    ...fact('Working Directory', session.working_directory),
    ...fact('Repo Root', session.repo_path),
    ...fact('Repository', session.repo_key),
    ...fact('Branch', session.branch),
    ...fact('Machine', session.machine),
    ...fact('Date', session.ended_at ?? session.started_at),
    ...fact('Forked From', session.parent?.session_id ?? null),
    ...fact('Tags', tags.join(', ')),
    ...fact('Starred', starred ? 'yes' : null),
    ...fact('Note', note),
    ...session.commits.flatMap((commit) => fact('Commit', commitText(commit, commit.hash.length))),
    '',
    '',
  ].join('\n');
}

/** The conversation below the head. Messages are Markdown already and left unchanged. */
export function exportBody(turns: ExportTurn[]): string {
  return turns.map((turn) => `${turnParts(turn).join('\n\n')}\n`).join('\n');
}

function turnParts({ index, timestamp, before = '', user, assistant, tools }: ExportTurn): string[] {
  const time = timestamp === null ? '' : ` (${sanitizeLine(timestamp)})`;
  const part = (label: string, text: string) => (text === '' ? [] : [`### ${label}`, sanitize(text).trim()]);
  const calls = tools.map((call) => `- ${sanitizeLine(call)}`).join('\n');
  return [
    `## Turn ${index + 1}${time}`,
    ...part('Before the first prompt', before),
    ...part('User', user),
    ...part('Assistant', assistant),
    ...part('Tools', calls),
  ];
}

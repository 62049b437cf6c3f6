import type { SessionPayload } from '../../domain/point/point.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { dateTime, plural, timeAgo } from '../../domain/text/time-text.ts';
import { agentName, shortId, titleOf } from '../shared/labels.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { padEnd, truncate } from '../terminal/width.ts';

/** What was selected, before anything is done with it: enough to see that it is the right one. */
export function renderSelection(session: SessionPayload, look: Look, nowMs: number): string {
  const ink = createInk(look);
  const { style, symbols } = ink;
  const ended = session.ended_at ?? session.started_at;
  const { files_touched: files, commits } = session;
  const work = [
    session.outcome as string,
    ...(files.length > 0 ? [plural(files.length, 'file')] : []),
    ...(commits.length > 0 ? [plural(commits.length, 'commit')] : []),
  ];
  const facts: [string, string][] = [
    ['Title', titleOf(session)],
    ['When', `${dateTime(ended)} (${timeAgo(ended, nowMs)}), ${plural(session.message_count, 'message')}`],
    [
      'Where',
      [session.repo_key ?? session.repo_name, session.branch].filter(Boolean).join(symbols.separator),
    ],
    ['Agent', [agentName(session.agent), session.model].filter(Boolean).join(symbols.separator)],
    ['Work', work.join(symbols.separator)],
  ];
  return [
    `You selected: Session ${style.accent(shortId(session.session_id))}`,
    ...facts.map(
      ([label, value]) =>
        `  ${style.dim(padEnd(label, 12))}${truncate(sanitizeLine(value), ink.columns - 15, symbols.ellipsis)}`,
    ),
  ].join('\n');
}

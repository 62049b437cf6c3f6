import type { SessionPayload } from '../../domain/point/point.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { dateAndAge, plural } from '../../domain/text/time-text.ts';
import { agentName, shortId, titleOf } from '../shared/labels.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { displayWidth, padEnd, truncate, wrap } from '../terminal/width.ts';

/** The facts that identify the session. `byId`: whether the user gave its id. */
export function renderSelection(session: SessionPayload, look: Look, nowMs: number, byId: boolean): string {
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
    ['When', `${dateAndAge(ended, nowMs)}, ${plural(session.message_count, 'message')}`],
    ['Where', [session.repo_name, session.branch].filter(Boolean).join(symbols.separator)],
    ['Agent', [agentName(session.agent), session.model].filter(Boolean).join(symbols.separator)],
    ['Work', work.join(symbols.separator)],
  ];
  return [
    `${byId ? 'Session' : 'You selected: Session'} ${style.accent(shortId(session.session_id))}`,
    ...facts.map(
      ([label, value]) =>
        `  ${style.dim(padEnd(label, 12))}${truncate(sanitizeLine(value), ink.columns - 15, symbols.ellipsis)}`,
    ),
  ].join('\n');
}

/** One line per check, with advice below those that are not ok. */
export function renderPreflight(checks: DoctorCheck[], look: Look): string {
  const ink = createInk(look);
  const label = Math.max(...checks.map(({ name }) => displayWidth(name))) + 2;
  return checks.flatMap((check) => checkLines(check, label, ink)).join('\n');
}

function checkLines({ name, status, message, fix }: DoctorCheck, label: number, ink: Ink): string[] {
  const mark = ink.style[PAINTS[status]](ink.symbols[status]);
  const indent = label + 2;
  const text = wrap(sanitizeLine(message), ink.columns - indent);
  const advice =
    status === 'ok' || fix === undefined
      ? []
      : wrap(sanitizeLine(fix), ink.columns - indent).map(ink.style.dim);
  return [...text, ...advice].map((line, i) =>
    i === 0 ? `${mark} ${padEnd(name, label)}${line}` : ' '.repeat(indent) + line,
  );
}

const PAINTS = { ok: 'good', warn: 'warn', fail: 'bad' } as const;

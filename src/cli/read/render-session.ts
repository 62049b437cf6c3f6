import type { SessionTurns } from '../../app/read/view-session.ts';
import type { Turn } from '../../app/sessions/conversation/turn.ts';
import type { SummaryLine } from '../../domain/memory/summarize.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { sanitize, sanitizeCommand, sanitizeLine } from '../../domain/text/sanitize.ts';
import { clock, dateTime, plural } from '../../domain/text/time-text.ts';
import type { SessionTokens } from '../../domain/usage/usage-report.ts';
import { titleOf } from '../shared/labels.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { displayWidth, padEnd, truncate, wrap } from '../terminal/width.ts';
import { sessionFacts } from './session-facts.ts';

/** A session's facts, and the commands that continue it. */
export function renderHead(
  view: Omit<SessionTurns, 'turns'> & { usage?: SessionTokens | null; summary?: SummaryLine[] },
  look: Look,
  options: { nowMs: number },
): string {
  const ink = createInk(look);
  const labelWidth = 12;
  const facts = sessionFacts(view.session, view, options.nowMs, ink.named).flatMap(([label, value]) =>
    wrap(value, ink.columns - labelWidth).map(
      (line, i) => ink.style.dim(padEnd(i === 0 ? label : '', labelWidth)) + line,
    ),
  );
  return [
    ...wrap(titleOf(view.session), ink.columns).map(ink.style.strong),
    ...facts,
    ...summaryLines(view.summary ?? [], ink),
    ...problemLines(view.problem, ink),
    ...longerLines(view, ink),
    ...commandLines('Fork it:', view.fork, ink),
    ...commandLines('Resume it:', view.resume, ink),
  ].join('\n');
}

/** What was asked, decided, found, done and left open; each kind's name once. */
function summaryLines(summary: SummaryLine[], { style, symbols, columns }: Ink): string[] {
  const width = 12;
  const room = Math.min(columns, 100) - width;
  const { ellipsis } = symbols;
  const lines = summary.flatMap((line, at) => {
    const before = summary[at - 1];
    const { kind, turn, more } = line;
    const label = before?.kind === kind ? '' : (kind[0]?.toUpperCase() ?? '') + kind.slice(1);
    const place = `, turn ${turn + 1}`;
    const words = fitted(
      withoutLead(line, before, ellipsis),
      line.answer,
      Math.max(20, room - place.length),
      symbols,
    );
    const rest = more === undefined ? [] : [' '.repeat(width) + style.dim(`${ellipsis} ${more} more`)];
    return [style.dim(padEnd(label, width)) + words + style.dim(place), ...rest];
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Several findings may be items of one list, whose lead is printed once. */
function withoutLead({ text, turn }: SummaryLine, before: SummaryLine | undefined, ellipsis: string): string {
  const lead = LEAD.exec(text)?.[0] ?? '';
  const isRepeated = lead !== '' && before?.turn === turn && before.text.startsWith(lead);
  return sanitizeLine(isRepeated ? `${ellipsis} ${text.slice(lead.length)}` : text);
}

const LEAD = /^[^\n]{20,300}?: /;

/** A question and its answer are told apart, and the question is cut first. */
function fitted(
  text: string,
  answer: string | undefined,
  room: number,
  { ellipsis, arrow }: Ink['symbols'],
): string {
  if (answer === undefined) return truncate(text, room, ellipsis);
  const end = `${arrow} ${truncate(sanitizeLine(answer), Math.ceil(room / 2), ellipsis)}`;
  const question = text.slice(0, Math.max(0, text.length - sanitizeLine(answer).length)).trimEnd();
  return `${truncate(question, room - displayWidth(end) - 1, ellipsis)} ${end}`;
}

/** The head, followed by the turns of each step. */
export async function* renderTurns(
  head: string,
  steps: AsyncIterable<Turn[]>,
  look: Look,
): AsyncGenerator<string> {
  const ink = createInk(look);
  let before: Turn | undefined;
  yield head;
  for await (const turns of steps) {
    const lines: string[] = [];
    for (const turn of turns) {
      lines.push('', ...turnLines(turn, before, ink));
      before = turn;
    }
    if (lines.length > 0) yield lines.join('\n');
  }
}

/** One turn, below the title. */
export function renderTurn(view: Pick<SessionTurns, 'session' | 'turns' | 'problem'>, look: Look): string {
  const ink = createInk(look);
  return [
    ...wrap(titleOf(view.session), ink.columns).map(ink.style.strong),
    ...problemLines(view.problem, ink),
    ...view.turns.flatMap((turn) => ['', ...turnLines(turn, undefined, ink)]),
  ].join('\n');
}

function problemLines(problem: string | null, { style, columns }: Ink): string[] {
  if (problem === null) return [];
  const text = `The archived transcript cannot be read; these are passages from the index: ${sanitizeLine(problem)}`;
  return ['', ...wrap(text, columns).map(style.warn)];
}

function longerLines({ session, longer_on }: Omit<SessionTurns, 'turns'>, { style, columns }: Ink): string[] {
  if (longer_on === null) return [];
  const text = `${sanitizeLine(longer_on)} continued this session; the transcript here is only the beginning. For the rest: smart-fork restore ${idToType(session.session_id)}`;
  return ['', ...wrap(text, columns).map(style.warn)];
}

function commandLines(label: string, command: string | null, { style }: Ink): string[] {
  return command === null ? [] : ['', style.dim(label), style.command(sanitizeCommand(command))];
}

function turnLines(turn: Turn, before: Turn | undefined, ink: Ink): string[] {
  const { style, symbols, columns } = ink;
  const taken = turn.rewound === true ? ', taken back' : '';
  const head = ` turn ${turn.index + 1}${taken}${symbols.separator}${turnTime(turn, before)} `.replace(
    /(?<!\W)\W+$/,
    ' ',
  );
  const title = truncate(head, columns - 2, symbols.ellipsis);
  const rule = symbols.rule.repeat(Math.max(0, Math.min(columns, 100) - 2 - displayWidth(title)));
  return [
    style.dim(`${symbols.rule.repeat(2)}${title}${rule}`),
    ...speechLines('Agent, before the first prompt', turn.before ?? '', style.good, ink),
    ...speechLines('You', turn.user, style.accent, ink),
    ...speechLines('Agent', turn.assistant, style.good, ink),
    ...traceLines('tools', tally(turn.tools, symbols.times), ink),
    ...traceLines('files', turn.files.map(sanitizeLine), ink),
    ...(turn.subagents ?? []).flatMap((one) => subagentLines(one, ink)),
  ];
}

/** Printed indented, below the turn in which the subagent began. */
function subagentLines({ task, answer, tools }: NonNullable<Turn['subagents']>[number], ink: Ink): string[] {
  const inner = { ...ink, columns: Math.max(20, ink.columns - 2) };
  const lines = [
    ...speechLines('Subagent was asked', task, ink.style.accent, inner),
    ...speechLines('Subagent answered', answer, ink.style.good, inner),
    ...traceLines('tools', tally(tools, ink.symbols.times), inner),
  ];
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

/** Includes the date if the previous turn was on another day. */
function turnTime(turn: Turn, before: Turn | undefined): string {
  const full = turn.timestamp === null ? '' : dateTime(turn.timestamp);
  const time = clock(turn.timestamp);
  const sameDay = before?.timestamp && dateTime(before.timestamp).slice(0, -5) === full.slice(0, -5);
  return sameDay ? time : full;
}

function speechLines(who: string, text: string, paint: (text: string) => string, ink: Ink): string[] {
  const clean = sanitize(text)
    .replace(/^\s*\n/, '')
    .trimEnd();
  if (clean === '') return [];
  const indent = '  ';
  return [paint(who), ...wrap(clean, ink.columns - indent.length).map((line) => (line ? indent + line : ''))];
}

function traceLines(label: string, items: string[], { style, symbols, columns }: Ink): string[] {
  if (items.length === 0) return [];
  const most = 8;
  const more = items.length > most ? [`and ${plural(items.length - most, 'other')}`] : [];
  const text = `  ${label}: ${[...items.slice(0, most), ...more].join(', ')}`;
  return [style.dim(truncate(text, columns, symbols.ellipsis))];
}

/** "Edit ×3", in the order of first use. */
function tally(names: string[], times: string): string[] {
  const counts = new Map<string, number>();
  for (const name of names.map(sanitizeLine)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${name} ${times}${n}`));
}

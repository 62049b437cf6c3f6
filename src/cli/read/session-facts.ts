import { commitText } from '../../domain/session/commit-hash.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import { hasOnlyPrompts } from '../../domain/session/session.ts';
import type { Marks } from '../../domain/tags/marks.ts';
import { costText, outputText } from '../../domain/text/cost-text.ts';
import { markerText } from '../../domain/text/marker-text.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import {
  ageBeside,
  bytes,
  clock,
  count,
  dateAndAge,
  dateTime,
  duration,
  localDate,
  plural,
} from '../../domain/text/time-text.ts';
import type { SessionTokens } from '../../domain/usage/usage-report.ts';
import { agentName } from '../shared/labels.ts';

type Fact = [label: string, value: string];

/** The known facts about a session, as labels and values. */
export function sessionFacts(
  session: SessionRecord & Marks,
  { local, restorable, usage }: { local: boolean; restorable: boolean; usage?: SessionTokens | null },
  nowMs: number,
  named: (sessionId: string) => string,
): Fact[] {
  const facts: [string, string | null][] = [
    ['Session', session.session_id],
    ['Fork of', session.parent && named(session.parent.session_id)],
    ['Goes on in', session.continued_in === undefined ? null : named(session.continued_in)],
    ['Agent', [agentName(session.agent), session.agent_version, session.model].filter(Boolean).join(' ')],
    ['Machine', local || restorable ? session.machine : `${session.machine} (the transcript is not here)`],
    ['Repository', repositoryOf(session)],
    ['Branch', session.branch],
    ['Folder', session.working_directory],
    ['When', whenOf(session, nowMs)],
    ['Messages', messagesOf(session)],
    ['Tokens', usage ? tokensOf(usage) : null],
    ['Cost', usage ? costOf(usage) : null],
    ['Subagents', subagentsOf(session)],
    ['Outcome', session.outcome],
    ['Commits', session.commits.map((commit) => commitText(commit)).join('\n')],
    ['Files', filesOf(session)],
    ['Languages', session.languages?.join(', ') ?? null],
    ['Markers', session.markers.map(markerText).join(', ')],
    ['Tags', session.tags.map((tag) => `#${tag}`).join(' ')],
    ['Starred', session.starred ? 'yes' : null],
    ['Note', session.note],
    ['Transcript', session.jsonl_path && transcriptOf(session, restorable)],
  ];
  return facts.flatMap(([label, value]): Fact[] =>
    value ? value.split('\n').map((line, i): Fact => [i === 0 ? label : '', sanitizeLine(line)]) : [],
  );
}

function transcriptOf(session: SessionRecord, restorable: boolean): string {
  const { jsonl_path, bytes: size } = session;
  if (hasOnlyPrompts(session)) return `gone; the prompts are from ${jsonl_path.replace(/#[^#]*$/, '')}`;
  // A session in a database has no size of its own.
  if (jsonl_path.includes('#')) return jsonl_path;
  return `${jsonl_path} (${bytes(size)}${restorable ? ', not here, but archived' : ''})`;
}

function tokensOf(usage: SessionTokens): string {
  const { input_tokens, cache_read_tokens, cache_write_tokens, partial_requests: partial } = usage;
  const cached = `${count(cache_read_tokens)} read from the cache, ${count(cache_write_tokens)} written to it`;
  const least = partial > 0 ? ` (+: ${plural(partial, 'request')} without a final number)` : '';
  return `${count(input_tokens)} in, ${outputText(usage)} out, ${cached}${least}`;
}

function costOf(usage: SessionTokens): string {
  const { without_price: unknown } = usage;
  return unknown.length === 0
    ? costText(usage)
    : `${costText(usage)} (no price is known for ${unknown.join(', ')})`;
}

function subagentsOf({ subagents = [], subagents_left_out: left = 0 }: SessionRecord): string | null {
  if (subagents.length + left === 0) return null;
  const more = left === 0 ? '' : `, ${plural(left, 'older one')} not indexed (over the size limit)`;
  return `${subagents.length}${more}`;
}

function repositoryOf({ repo_name, repo_key }: SessionRecord): string {
  return repo_key ? `${repo_name} (${repo_key})` : repo_name;
}

function whenOf({ started_at, ended_at }: SessionRecord, nowMs: number): string | null {
  const last = ended_at ?? started_at;
  if (!last) return null;
  const lasted = started_at && ended_at ? Date.parse(ended_at) - Date.parse(started_at) : 0;
  if (lasted < 60_000) return dateAndAge(last, nowMs);
  const end = localDate(started_at) === localDate(last) ? clock(last) : dateTime(last);
  const period = `${dateTime(started_at)} to ${end}`;
  const notes = [ageBeside(last, nowMs), duration(lasted)].filter((note) => note !== '');
  return `${period} (${notes.join(', ')})`;
}

function messagesOf(session: SessionRecord): string {
  const { message_count, user_messages, assistant_messages, tool_calls, inherited_messages } = session;
  if (hasOnlyPrompts(session)) return `${user_messages} by you; the answers are gone`;
  const inherited = inherited_messages > 0 ? `, ${inherited_messages} more from the parent` : '';
  // Only a transcript contains the number of tool calls.
  const calls = session.jsonl_path === '' ? '' : `, ${plural(tool_calls, 'tool call')}`;
  return `${message_count} (${user_messages} by you, ${assistant_messages} by the agent)${calls}${inherited}`;
}

function filesOf({ files_touched }: SessionRecord): string {
  const most = 6;
  const more = files_touched.length > most ? [`and ${plural(files_touched.length - most, 'other')}`] : [];
  return [...files_touched.slice(0, most), ...more].join(', ');
}

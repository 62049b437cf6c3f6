import type { Passage } from '../../domain/point/passages.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';

/** What a subagent was asked, did and answered. */
export interface SubagentSummary {
  agent_id: string;
  task: string;
  answer: string;
  /** A line per tool call. */
  tools: string[];
}

export type Message = Extract<TranscriptEvent, { kind: 'message' }>;

interface Subagent {
  agentId: string;
  messages: Message[];
}

/** The conversations of a session's subagents, redacted, oldest first. */
export async function readSubagents(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
): Promise<Subagent[]> {
  const subagents: Subagent[] = [];
  for (const file of (source.inspect(path)?.subagents ?? []).toReversed()) {
    const events: TranscriptEvent[] = [];
    const options = { from: 0, linesBefore: 0, inheritedBytes: 0, ofSubagent: true };
    source.read(file.path, options, (event) => {
      if (event.kind === 'message') events.push(event);
    });
    const redacted = (await redactEvents(events, redactor)).events;
    const messages = redacted.filter((event) => event.kind === 'message');
    if (messages.length > 0) subagents.push({ agentId: file.agentId, messages });
  }
  return subagents;
}

interface TurnWithSubagents {
  timestamp: string | null;
  subagents?: SubagentSummary[];
}

/** Adds each subagent to the turn in which it began. */
export function addToTurns(turns: TurnWithSubagents[], subagents: Subagent[]): void {
  for (const { agentId, messages } of subagents) {
    const of = (role: Message['role']) => messages.filter((message) => message.role === role);
    addToTurn(turns, messages[0]?.timestamp ?? null, {
      agent_id: agentId,
      task: of('user')[0]?.text ?? '',
      answer: of('assistant').at(-1)?.text ?? '',
      tools: of('tool').map(({ text }) => text),
    });
  }
}

export function addToTurn(
  turns: TurnWithSubagents[],
  timestamp: string | null,
  subagent: SubagentSummary,
): void {
  const turn = turns.findLast((one) => isBefore(one.timestamp, timestamp)) ?? turns[0];
  if (turn !== undefined) turn.subagents = [...(turn.subagents ?? []), subagent];
}

/** A conversation's passages with those of its subagents, each group where it began. */
export function insertPassages(passages: Passage[], groups: Passage[][]): Passage[] {
  if (groups.length === 0) return passages;
  const all = [...passages];
  for (const group of groups) {
    const start = group[0]?.timestamp ?? null;
    const before = all.findLastIndex((one) => isBefore(one.timestamp, start));
    const turn = all[before]?.turn ?? 0;
    const marked = group.map((one) => ({ ...one, turn, text: `[in a subagent]\n${one.text}` }));
    all.splice(before < 0 ? Math.min(1, all.length) : before + 1, 0, ...marked);
  }
  return all.map((one, index) => ({ ...one, index }));
}

function isBefore(time: string | null, other: string | null): boolean {
  return time !== null && other !== null && time <= other;
}

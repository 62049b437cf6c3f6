import type { Passage } from '../../domain/point/passages.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';

/** What a subagent was asked, what it did and what it answered. */
export interface SubagentSummary {
  agent_id: string;
  task: string;
  answer: string;
  /** One line per tool call. */
  tools: string[];
}

export type Message = Extract<TranscriptEvent, { kind: 'message' }>;

export interface Subagent {
  agentId: string;
  messages: Message[];
}

/** The conversations of a session's subagents, redacted, oldest first. */
export async function readSubagents(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
): Promise<Subagent[]> {
  return redactSubagents(subagentsOf(source, path), redactor);
}

/** The same, not redacted. */
export function subagentsOf(source: TranscriptSource, path: string): Subagent[] {
  return (source.inspect(path)?.subagents ?? []).toReversed().flatMap((file) => {
    const messages: Message[] = [];
    const options = { from: 0, linesBefore: 0, inheritedBytes: 0, ofSubagent: true };
    source.read(file.path, options, (event) => {
      if (event.kind === 'message') messages.push(event);
    });
    return messages.length === 0 ? [] : [{ agentId: file.agentId, messages }];
  });
}

export async function redactSubagents(subagents: Subagent[], redactor: Redactor): Promise<Subagent[]> {
  const redacted: Subagent[] = [];
  for (const { agentId, messages } of subagents) {
    const { events } = await redactEvents(messages, redactor);
    if (events.length > 0) redacted.push({ agentId, messages: events });
  }
  return redacted;
}

interface TurnWithSubagents {
  timestamp: string | null;
  subagents?: SubagentSummary[];
}

/** Adds each subagent to the turn in which it began. */
export function addToTurns(turns: TurnWithSubagents[], subagents: Subagent[]): void {
  for (const { agentId, messages } of subagents) {
    const of = (role: Message['role']) => messages.filter((message) => message.role === role);
    addToTurn(turns, beganAt({ messages }), {
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
  const turn = turnAt(turns, timestamp);
  if (turn !== undefined) turn.subagents = [...(turn.subagents ?? []), subagent];
}

export function beganAt({ messages }: Pick<Subagent, 'messages'>): string | null {
  return messages[0]?.timestamp ?? null;
}

/** The turn that was open at a given time. */
export function turnAt<T extends { timestamp: string | null }>(
  turns: T[],
  began: string | null,
): T | undefined {
  return turns.findLast((one) => isBefore(one.timestamp, began)) ?? turns[0];
}

/** Inserts the passages of subagents into a conversation's passages, each group where it began. */
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

export function isBefore(time: string | null, other: string | null): boolean {
  return time !== null && other !== null && time <= other;
}

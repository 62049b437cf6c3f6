import { SmartForkError } from '../../../domain/errors.ts';
import { titleOf } from '../../../domain/session/title-line.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { SubagentFile, TranscriptSource } from '../../../ports/transcript-source.ts';
import type { LocatedTurn } from '../../sessions/locate-turns.ts';
import { collectTurns } from '../../sessions/read-conversation.ts';
import type { SessionTurns } from './open-turns.ts';
import type { ReaderTurn, SubagentStep } from './reader-turn.ts';

type Transcript = NonNullable<SessionTurns['transcript']>;

export function subagentTurns({ transcript, problem }: SessionTurns, agentId: string): SessionTurns {
  const file = transcript?.file.subagents?.find((one) => one.agentId === agentId);
  if (transcript === null || file === undefined) {
    throw new SmartForkError('SESSION_NOT_FOUND', `the session has no subagent ${agentId} on this machine`, {
      hint: 'Steps of kind "subagent" have the ids.',
    });
  }
  return {
    turns: turnsOf(transcript.source, file),
    transcript: { ...transcript, ofSubagent: true },
    problem,
  };
}

/** Adds each subagent to the turn in which it began, if that turn is shown. */
export function addSubagents(
  { source, file }: Transcript,
  all: SessionTurns['turns'],
  shown: ReaderTurn[],
): void {
  if (shown.length === 0) return;
  for (const subagent of (file.subagents ?? []).toReversed()) {
    const [first, ...more] = turnsOf(source, subagent);
    if (first === undefined) continue;
    const began = first.timestamp;
    const index = (
      all.findLast(({ timestamp }) => timestamp !== null && began !== null && timestamp <= began) ?? all[0]
    )?.index;
    const steps = shown.find((turn) => turn.index === index)?.steps;
    if (steps === undefined) continue;
    const id = subagent.agentId;
    const step: SubagentStep = {
      kind: 'subagent',
      id,
      title: titleOf(first.user),
      turn_count: 1 + more.length,
    };
    steps.splice(placeOf(steps, first.user), 0, step);
  }
}

/** After the call that started it, which contains its brief; otherwise at the end. */
function placeOf(steps: ReaderTurn['steps'], brief: string): number {
  const words = JSON.stringify(brief.slice(0, 60)).slice(1, -1);
  const call = steps.findIndex((step) => step.kind === 'tool' && step.input?.includes(words) === true);
  return call < 0 ? steps.length : call + 1;
}

const WHOLE = { from: 0, linesBefore: 0, inheritedBytes: 0, ofSubagent: true };

function turnsOf(source: TranscriptSource, { path }: SubagentFile): LocatedTurn[] {
  const events: TranscriptEvent[] = [];
  const offsets = new Map<TranscriptEvent, number>();
  source.read(path, WHOLE, (event, offset) => {
    events.push(event);
    offsets.set(event, offset);
  });
  const starts: number[] = [];
  const { turns } = collectTurns(events, (index, message) => {
    starts[index] ??= index === 0 ? 0 : (offsets.get(message) ?? 0);
  });
  return turns.map((turn, at) => {
    const to = starts[turns[at + 1]?.index ?? -1] ?? Number.POSITIVE_INFINITY;
    return { ...turn, place: { path, from: starts[turn.index] ?? 0, to } };
  });
}

import type { SessionPayload } from '../domain/point.ts';
import type { SessionRecord } from '../domain/session.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { planFork } from './plan-fork.ts';
import { type ChunkReader, readTurns, storedPassages, type Turn } from './read-conversation.ts';
import { turnsOfPassages } from './turns-of-passages.ts';

export interface SessionTurns {
  session: SessionRecord;
  local: boolean;
  resume: string | null;
  fork: string | null;
  turns: Turn[];
}

/** A session for reading: its record, how to go on with it, and its turns; from the store where it is not here. */
export async function viewSession(
  deps: { store: ChunkReader; sources: TranscriptSource[]; machine: ThisMachine; redactor: Redactor },
  session: SessionPayload,
): Promise<SessionTurns> {
  const plan = planFork(deps, session);
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const local = plan.path !== null && source !== undefined;
  const { type: _, ...record } = session;
  return {
    session: record,
    local: plan.local,
    resume: plan.resume,
    fork: plan.canFork ? plan.command : null,
    turns: local
      ? (await readTurns(source, plan.path ?? '', deps.redactor)).turns
      : turnsOfPassages(await storedPassages(deps.store, session)),
  };
}

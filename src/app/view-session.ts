import type { SessionPayload } from '../domain/point.ts';
import type { SessionRecord } from '../domain/session.ts';
import { planFork } from './plan-fork.ts';
import { readTurns, storedPassages, type Turn } from './read-conversation.ts';
import { readTranscript } from './read-transcript.ts';
import type { ReadDependencies } from './retrieve-session.ts';
import { turnsOfPassages } from './turns-of-passages.ts';

export interface SessionTurns {
  session: SessionRecord;
  local: boolean;
  restorable: boolean;
  /** Why the kept copy could not be read: then the turns are the store's passages. */
  problem: string | null;
  resume: string | null;
  fork: string | null;
  turns: Turn[];
}

/** A session for reading: its record, how to go on with it, and its turns; from the store where it is not here. */
export async function viewSession(deps: ReadDependencies, session: SessionPayload): Promise<SessionTurns> {
  const plan = planFork(deps, session);
  const { found, problem } = await readTranscript(
    deps,
    session,
    plan,
    async (source, path, parents) => (await readTurns(source, path, deps.redactor, parents)).turns,
  );
  const { type: _, ...record } = session;
  return {
    session: record,
    local: plan.local,
    restorable: plan.restorable,
    problem,
    resume: plan.resume,
    fork: plan.canFork ? plan.command : null,
    turns: found ?? turnsOfPassages(await storedPassages(deps.store, session)),
  };
}

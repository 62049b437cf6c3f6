import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import { readTranscript } from '../index/read-transcript.ts';
import { type ForkPlan, planFork } from '../sessions/locate-session.ts';
import { readTurns, storedPassages, type Turn } from '../sessions/read-conversation.ts';
import { turnsOfPassages } from '../sessions/turns-of-passages.ts';
import type { ReadDependencies } from './retrieve-session.ts';

export interface SessionTurns {
  session: SessionRecord;
  local: boolean;
  restorable: boolean;
  /** The machine that has gone on with it, where the transcript here is only the beginning and the rest can be restored. */
  longer_on: string | null;
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
  const { type: _, archived: __, ...record } = session;
  return {
    session: record,
    local: plan.local,
    restorable: plan.restorable,
    longer_on: longerOn(deps, session, plan),
    problem,
    resume: plan.resume,
    fork: plan.canFork ? plan.command : null,
    turns: found ?? turnsOfPassages(await storedPassages(deps.store, session)),
  };
}

function longerOn(
  { sources, machine, archives }: ReadDependencies,
  session: SessionPayload,
  { path }: ForkPlan,
): string | null {
  if (path === null || session.machine === machine.name) return null;
  const source = sources.find(({ agent }) => agent === session.agent);
  const file = source?.inspect(path);
  // A compressed transcript is shorter whatever it holds.
  if (!file?.path.endsWith('.jsonl') || file.size >= session.bytes) return null;
  return archives.some((archive) => archive.mayHold(session)) ? session.machine : null;
}

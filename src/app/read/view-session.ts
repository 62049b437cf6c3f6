import { shownRecord } from '../../domain/json/shown-record.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import type { Marks } from '../../domain/tags/marks.ts';
import { storedTurns } from '../sessions/conversation/stored-conversation.ts';
import type { Turn } from '../sessions/conversation/turn.ts';
import { locateSession, type SessionLocation } from '../sessions/locate-session.ts';
import { readTurns } from '../sessions/read-conversation.ts';
import { type ReadDependencies, storedSubagents } from './retrieve-session.ts';
import { type Conversation, readTurn, readTurnsInSteps } from './turns/read-turns.ts';
import { withTranscript } from './with-transcript.ts';

export interface SessionTurns {
  session: SessionRecord & Marks;
  local: boolean;
  restorable: boolean;
  /** The machine that continued the session, if this machine has only its beginning and the rest can be restored. */
  longer_on: string | null;
  /** Why the archived copy could not be read, so that the turns come from the stored passages. */
  problem: string | null;
  resume: string | null;
  fork: string | null;
  turns: Turn[];
}

/** A session's record, the commands that continue it, and its turns. Without a transcript, the turns come from the store. */
export async function viewSession(
  deps: ReadDependencies,
  session: SessionPayload,
  location: SessionLocation = locateSession(deps, session),
): Promise<SessionTurns> {
  const { found, problem } = await withTranscript(
    deps,
    session,
    location,
    async (source, path, parents) =>
      (await readTurns(source, path, deps.redactor, { parents, stored: storedSubagents(deps, session) }))
        .turns,
  );
  const turns = found ?? (await storedTurns(deps.store, session));
  return { ...headOf(deps, session, location), problem, turns };
}

/** The same with the turns as they are read, so that a long session opens at once. */
export async function openSession(
  deps: ReadDependencies,
  session: SessionPayload,
): Promise<{ head: Omit<SessionTurns, 'turns'>; steps: AsyncIterable<Turn[]> }> {
  const location = locateSession(deps, session);
  const conversation = conversationHere(deps, session, location);
  if (conversation !== null)
    return { head: headOf(deps, session, location), steps: readTurnsInSteps(conversation) };
  const { turns, ...head } = await viewSession(deps, session, location);
  return { head, steps: once(turns) };
}

/** A single turn, counted from 0, and the number of turns. */
export async function viewTurn(
  deps: ReadDependencies,
  session: SessionPayload,
  index: number,
): Promise<{ view: SessionTurns; count: number }> {
  const location = locateSession(deps, session);
  const conversation = conversationHere(deps, session, location);
  if (conversation !== null) {
    const { turn, count } = await readTurn(conversation, index);
    return { view: { ...headOf(deps, session, location), turns: turn === null ? [] : [turn] }, count };
  }
  const view = await viewSession(deps, session, location);
  const turns = view.turns.filter((turn) => turn.index === index);
  return { view: { ...view, turns }, count: (view.turns.at(-1)?.index ?? -1) + 1 };
}

function conversationHere(
  { sources, redactor }: ReadDependencies,
  { agent, rewound_turns: rewound }: SessionPayload,
  { transcript }: SessionLocation,
): Conversation | null {
  const source = sources.find((one) => one.agent === agent);
  return source === undefined || transcript === null
    ? null
    : { source, path: transcript.path, redactor, rewound };
}

function headOf(
  deps: ReadDependencies,
  session: SessionPayload,
  location: SessionLocation,
): Omit<SessionTurns, 'turns'> {
  return {
    session: shownRecord(session),
    local: location.transcript !== null,
    restorable: location.restorable,
    longer_on: longerOn(deps, session, location),
    problem: null,
    resume: location.resume,
    fork: location.canFork ? location.command : null,
  };
}

async function* once(turns: Turn[]): AsyncGenerator<Turn[]> {
  yield turns;
}

/** The machine that continued a session, if only the beginning is here. */
export function longerOn(
  { machine, archives }: ReadDependencies,
  session: SessionPayload,
  { transcript }: SessionLocation,
): string | null {
  if (transcript === null || session.machine === machine.name) return null;
  // The size of a compressed transcript says nothing about its length.
  if (!transcript.path.endsWith('.jsonl') || transcript.size >= session.bytes) return null;
  return archives.some((archive) => archive.mayHold(session)) ? session.machine : null;
}

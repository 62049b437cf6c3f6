import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { cannotFork, cannotRestore, cannotStart } from '../../domain/session/missing-parts.ts';
import { idToType } from '../../domain/session/session-id.ts';
import type { ForkWay } from '../../ports/fork-journal.ts';
import type { AgentThreads, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { sourceOf } from '../archive/restore-session.ts';
import { nameHere } from '../sessions/name-here.ts';
import { turnOffsets, userPrompts } from '../sessions/read-conversation.ts';
import { partUntil } from '../sessions/session-part.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import { canReceive, whyNotImport } from './other-agent.ts';

/** What a fork takes, in order. Plain data: `printPlan` turns it into a command, `runPlan` carries it out. */
export interface ForkPlan {
  request: ForkRequest;
  way: ForkWay;
  steps: ForkStep[];
  /** Sentences for the user about differences from what was asked for. */
  notes: string[];
}

export type ForkStep =
  /** Writes the archived transcript to where the agent finds it from the folder in which the fork starts. */
  | { do: 'restore'; to: TranscriptPlace }
  /** Makes a session that ends with a turn: a copy up to a byte offset, or by the agent's own program, which needs all prompts. */
  | { do: 'cut'; turn: number; turns: number; at: CutPlace }
  /** Lets the agent's program make a session of another agent's, up to a turn; null: all of it. */
  | { do: 'import'; transcript: TranscriptFile; turn: number | null; prompts: string[] }
  /** Makes a session of this agent with the conversation of another agent's, up to a turn; null: all of it. */
  | { do: 'convert'; turn: number | null; turns: number }
  /** Writes the session's context to a file, up to a turn; null: all of it. */
  | { do: 'write context'; untilTurn: number | null }
  /** Starts the agent with what the steps before made, or else with its own fork of the transcript. Always the last step. */
  | { do: 'start' };

/** Where the turn after the last one begins; with all prompts, if the agent's own program cuts. */
type CutPlace = { end: number; prompts?: string[] };

/** Where a transcript is, or will be. */
export type TranscriptPlace = Pick<TranscriptFile, 'sessionId' | 'path'>;

export type StepOf<What extends ForkStep['do']> = Extract<ForkStep, { do: What }>;

/**
 * Plans a fork: a native one if the agent can, otherwise one with the context as text. Writes and records nothing.
 * @throws SmartForkError USAGE for a turn that does not exist or cannot be the last, and for an agent without commands;
 * TRANSCRIPT_UNREADABLE
 */
export async function planFork(deps: ForkDependencies, request: ForkRequest): Promise<ForkPlan> {
  const { session, location, agent, inject, turn } = request;
  checkCommands(deps, request);
  if (inject) return planContext(deps, request);
  if (agent !== session.agent || location.transcript?.unopenable) return planImport(deps, request);
  if (turn !== null) return planCut(deps, request, turn);
  const source = sourceOf(deps.sources, agent);
  if (source.commands?.fork === undefined && source.cut !== undefined && location.transcript !== null)
    return planCut(deps, request, userPrompts(source, location.transcript).length);
  if (location.transcript !== null) return planOf(deps, request, 'native', []);
  return location.restorable
    ? planOf(deps, request, 'native', [restoreStep(deps, request)])
    : planGone(deps, request);
}

/** @throws SmartForkError USAGE for an agent without commands: the user must choose another way, which the hint names */
function checkCommands(deps: ForkDependencies, { session, agent, inject }: ForkRequest): void {
  if (sourceOf(deps.sources, agent).commands !== undefined) return;
  throw agent === session.agent && !inject
    ? cannotFork(agent, session.session_id)
    : cannotStart(agent, session.session_id);
}

function planOf(deps: ForkDependencies, request: ForkRequest, way: ForkWay, steps: ForkStep[]): ForkPlan {
  const { agent, commands } = sourceOf(deps.sources, request.agent);
  const isIgnored = request.name !== null && commands?.takesNames !== true;
  const notes = isIgnored ? [`--name is ignored: ${agent} does not support it.`] : [];
  const { continued_in: next } = request.session;
  if (next !== undefined)
    notes.push(
      `The conversation goes on in session ${next}. To fork its end: smart-fork fork ${idToType(next)}`,
    );
  return { request, way, steps: [...steps, { do: 'start' }], notes };
}

function restoreStep(deps: ForkDependencies, { session, location }: ForkRequest): StepOf<'restore'> {
  const sessionId = nameHere(deps, session);
  const { bytes } = sourceOf(deps.sources, session.agent);
  const path = bytes?.restorePath?.(sessionId, location.directory, session.jsonl_path);
  if (path === undefined) throw cannotRestore(session.agent, session.session_id);
  return { do: 'restore', to: { sessionId, path } };
}

async function planCut(deps: ForkDependencies, request: ForkRequest, turn: number): Promise<ForkPlan> {
  const { session, location, agent } = request;
  const source = sourceOf(deps.sources, agent);
  if (source.cut === undefined) threadsOf(deps, agent);
  const cutAt = (transcript: TranscriptFile, parents: TranscriptFile[] = []) =>
    cutStep(source, turn, transcript, parents);
  if (location.transcript !== null) return planOf(deps, request, 'turn', [cutAt(location.transcript)]);
  const cut = await borrowTranscript(deps, source, session, async (copy, parents) => cutAt(copy, parents));
  if (cut === null) return planGone(deps, request);
  // The agent's program reads only its own folders. A copy can be cut from the archive.
  return planOf(deps, request, 'turn', cut.at.prompts ? [restoreStep(deps, request), cut] : [cut]);
}

function cutStep(
  source: TranscriptSource,
  turn: number,
  transcript: TranscriptFile,
  parents: TranscriptFile[],
): StepOf<'cut'> {
  const part = partUntil(source, transcript, turn, parents);
  checkTurn(transcript, turn, part.turns);
  if (!part.isAnswered) {
    throw new SmartForkError(
      'USAGE',
      `the session has no answer up to turn ${turn}: the fork would be empty`,
      {
        hint: 'Fork at a later turn.',
      },
    );
  }
  const offsets = turnOffsets(source, transcript.path);
  const end = offsets[turn] ?? transcript.size;
  if (source.cut === undefined) {
    const prompts = userPrompts(source, transcript, parents);
    return { do: 'cut', turn, turns: checkTurn(transcript, turn, prompts.length), at: { end, prompts } };
  }
  return { do: 'cut', turn, turns: checkTurn(transcript, turn, offsets.length), at: { end } };
}

function checkTurn({ sessionId }: TranscriptFile, turn: number, turns: number): number {
  if (Number.isInteger(turn) && turn >= 1 && turn <= turns) return turns;
  throw new SmartForkError('USAGE', `the session has no turn ${turn}: it has ${turns}`, {
    hint: `smart-fork show ${idToType(sessionId)} lists them.`,
  });
}

/** By the agent's own import if it takes the session; otherwise smart-fork writes the conversation in its form. */
async function planImport(deps: ForkDependencies, request: ForkRequest): Promise<ForkPlan> {
  const { session, location, agent, turn } = request;
  const { transcript } = location;
  const { imports } = deps.threads?.[agent] ?? {};
  const reason = imports === undefined ? null : whyNotImport(deps, request, imports);
  if (imports !== undefined && reason === null && transcript !== null) {
    const prompts = userPrompts(sourceOf(deps.sources, session.agent), transcript);
    if (turn !== null) checkTurn(transcript, turn, prompts.length);
    return planOf(deps, request, 'turn', [{ do: 'import', transcript, turn, prompts }]);
  }
  return (await planConverted(deps, request)) ?? planInstead(deps, request, reason);
}

/** Null if the agent cannot be given a conversation, or there is no transcript to read it from. */
export async function planConverted(deps: ForkDependencies, request: ForkRequest): Promise<ForkPlan | null> {
  const { session, location, agent, turn } = request;
  if (!canReceive(deps, agent)) return null;
  const source = sourceOf(deps.sources, session.agent);
  const read = async (transcript: TranscriptFile, parents: TranscriptFile[] = []) => {
    const turns = userPrompts(source, transcript, parents).length;
    if (turn !== null) checkTurn(transcript, turn, turns);
    return turns;
  };
  const turns =
    location.transcript === null
      ? await borrowTranscript(deps, source, session, read)
      : await read(location.transcript);
  return turns === null ? null : planOf(deps, request, 'turn', [{ do: 'convert', turn, turns }]);
}

/** The plan for a session that the other agent does not take; the reason is null if it takes none. */
export function planInstead(deps: ForkDependencies, request: ForkRequest, reason: string | null): ForkPlan {
  const [reader, writer] = [AGENT_ROWS[request.agent].name, AGENT_ROWS[request.session.agent].name];
  const problem =
    reason === null
      ? `${reader} cannot read ${writer} sessions.`
      : `${reader} cannot import this ${writer} session: ${reason}.`;
  return planText(deps, request, problem);
}

/**
 * The plan for a session without a transcript.
 * @throws SmartForkError USAGE with a turn
 */
export function planGone(deps: ForkDependencies, request: ForkRequest): ForkPlan {
  return planContext(deps, request, 'The transcript is neither on this machine nor archived.');
}

function planContext(deps: ForkDependencies, request: ForkRequest, problem?: string): ForkPlan {
  if (request.turn === null) return planText(deps, request, problem);
  throw new SmartForkError('USAGE', '--at needs the transcript, and the agent that wrote it', {
    hint: 'Leave out --at: the context has only matching passages anyway.',
  });
}

function planText(deps: ForkDependencies, request: ForkRequest, problem = ''): ForkPlan {
  const { turn } = request;
  const plan = planOf(deps, request, 'inject', [{ do: 'write context', untilTurn: turn }]);
  const upTo = turn === null ? '' : ` up to turn ${turn}`;
  const note = `${problem} The fork gets its context${upTo} as text, not the conversation itself.`.trim();
  return { ...plan, notes: [note, ...plan.notes] };
}

/** @throws SmartForkError USAGE for an agent whose program creates no sessions */
export function threadsOf({ threads }: ForkDependencies, agent: Agent): AgentThreads {
  const own = threads?.[agent];
  if (own !== undefined) return own;
  throw new SmartForkError('USAGE', `${agent} cannot resume a session cut at a turn`, {
    hint: 'Fork the whole session: leave out --at.',
  });
}

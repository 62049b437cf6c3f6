import { SmartForkError } from '../../domain/errors.ts';
import type { Agent } from '../../domain/session/session.ts';
import { idToType } from '../../domain/session/session-id.ts';
import type { ForkWay } from '../../ports/fork-journal.ts';
import type { AgentThreads, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { nameHere } from '../sessions/name-here.ts';
import { turnOffsets, userPrompts } from '../sessions/read-conversation.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';

/** What a fork takes, in order. Plain data: `printPlan` turns it into a command, `runPlan` carries it out. */
export interface ForkPlan {
  request: ForkRequest;
  way: ForkWay;
  /** The agent to start. */
  agent: Agent;
  /** The folder to start it in. */
  directory: string;
  /** The last turn of the fork, from 1; null: the whole session. */
  turn: number | null;
  steps: ForkStep[];
  /** Sentences for the user about differences from what was asked for. */
  notes: string[];
}

export type ForkStep =
  /** Writes the archived transcript to where an agent started in the plan's folder finds it. */
  | { do: 'restore'; to: TranscriptPlace }
  /** Makes a session that ends with a turn: a copy up to a byte offset, or by the agent's own program, which needs all prompts. */
  | { do: 'cut'; turn: number; turns: number; at: { end: number } | { prompts: string[] } }
  /** Lets the agent's program make a session of another agent's, up to a turn; null: all of it. */
  | { do: 'import'; transcript: TranscriptFile; turn: number | null; prompts: string[] }
  /** Writes the session's context to a file, up to a turn; null: all of it. */
  | { do: 'write context'; untilTurn: number | null }
  /** Starts the agent with what the steps before made, or else with its own fork of the transcript. Always the last step. */
  | { do: 'start' };

/** Where a transcript is, or will be. */
export type TranscriptPlace = Pick<TranscriptFile, 'sessionId' | 'path'>;

export type StepOf<What extends ForkStep['do']> = Extract<ForkStep, { do: What }>;

/**
 * Plans a fork: a native one if the agent can, otherwise one with the context as text. Writes and records nothing.
 * @throws SmartForkError USAGE for a turn that does not exist or cannot be the last; TRANSCRIPT_UNREADABLE
 */
export async function planFork(deps: ForkDependencies, request: ForkRequest): Promise<ForkPlan> {
  const { session, inject, turn } = request;
  if (inject) return planContext(deps, request);
  if ((request.into ?? session.agent) !== session.agent) return planImport(deps, request);
  return turn === null ? planWhole(deps, request) : planCut(deps, request, turn);
}

function planWhole(deps: ForkDependencies, request: ForkRequest): ForkPlan {
  const { location } = request;
  const plan = planOf(deps, request);
  if (location.transcript !== null) return { ...plan, way: 'native', steps: [{ do: 'start' }] };
  if (!location.restorable) return planGone(deps, request);
  const restore = restoreStep(deps, request, plan.directory);
  return { ...plan, way: 'native', steps: [restore, { do: 'start' }] };
}

function restoreStep(deps: ForkDependencies, { session }: ForkRequest, directory: string): StepOf<'restore'> {
  const sessionId = nameHere(deps, session);
  const path = sourceOf(deps, session.agent).restorePath(sessionId, directory);
  return { do: 'restore', to: { sessionId, path } };
}

async function planCut(deps: ForkDependencies, request: ForkRequest, turn: number): Promise<ForkPlan> {
  const { session, location } = request;
  const { transcript } = location;
  const source = sourceOf(deps, session.agent);
  if (source.cut === undefined) threadsOf(deps, session.agent);
  const cut =
    transcript === null
      ? await borrowTranscript(deps, source, session, async (copy, parents) =>
          cutAt(source, turn, copy, parents),
        )
      : cutAt(source, turn, transcript, []);
  if (cut === null) return planGone(deps, request);
  const plan = planOf(deps, request);
  const steps: ForkStep[] = [cut, { do: 'start' }];
  // The agent's program reads only its own folders. A copy can be cut from the archive.
  if (transcript === null && 'prompts' in cut.at) steps.unshift(restoreStep(deps, request, plan.directory));
  return { ...plan, way: 'turn', turn, steps };
}

function cutAt(
  source: TranscriptSource,
  turn: number,
  transcript: TranscriptFile,
  parents: TranscriptFile[],
): StepOf<'cut'> {
  if (source.cut === undefined) {
    const prompts = userPrompts(source, transcript, parents);
    return { do: 'cut', turn, turns: checkTurn(transcript, turn, prompts.length), at: { prompts } };
  }
  const offsets = turnOffsets(source, transcript.path);
  const turns = checkTurn(transcript, turn, offsets.length);
  return { do: 'cut', turn, turns, at: { end: offsets[turn] ?? transcript.size } };
}

/** @throws SmartForkError USAGE for a turn that does not exist */
function checkTurn({ sessionId }: TranscriptFile, turn: number, turns: number): number {
  if (Number.isInteger(turn) && turn >= 1 && turn <= turns) return turns;
  throw new SmartForkError('USAGE', `the session has no turn ${turn}: it has ${turns}`, {
    hint: `smart-fork show ${idToType(sessionId)} lists them.`,
  });
}

function planImport(deps: ForkDependencies, request: ForkRequest): ForkPlan {
  const { session, turn, location } = request;
  const { transcript } = location;
  const plan = planOf(deps, request);
  const threads = deps.threads?.[plan.agent];
  if (threads === undefined) return planInstead(deps, request, null);
  if (transcript === null) return planInstead(deps, request, 'its transcript is not on this machine');
  if (!deps.machine.directoryExists(session.working_directory)) {
    const folder = session.working_directory || 'unknown';
    return planInstead(deps, request, `its folder is not on this machine (${folder})`);
  }
  const reason = threads.whyNotImport(transcript);
  if (reason !== null) return planInstead(deps, request, reason);
  const prompts = userPrompts(sourceOf(deps, session.agent), transcript);
  if (turn !== null) checkTurn(transcript, turn, prompts.length);
  const steps: ForkStep[] = [{ do: 'import', transcript, turn, prompts }, { do: 'start' }];
  return { ...plan, way: 'turn', turn: turn ?? prompts.length, steps };
}

/** The plan for a session that the other agent does not import; the reason is null if its program cannot import sessions at all. */
export function planInstead(deps: ForkDependencies, request: ForkRequest, reason: string | null): ForkPlan {
  const { session, into } = request;
  const names = { claude: 'Claude Code', codex: 'Codex' };
  const [reader, writer] = [names[into ?? session.agent], names[session.agent]];
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

function planText(deps: ForkDependencies, request: ForkRequest, problem?: string): ForkPlan {
  const { turn } = request;
  const plan = planOf(deps, request);
  const upTo = turn === null ? '' : ` up to turn ${turn}`;
  const note = `The fork gets its context${upTo} as text, not the conversation itself.`;
  const steps: ForkStep[] = [{ do: 'write context', untilTurn: turn }, { do: 'start' }];
  const notes = [problem === undefined ? note : `${problem} ${note}`, ...plan.notes];
  return { ...plan, way: 'inject', turn, steps, notes };
}

function planOf(
  deps: ForkDependencies,
  request: ForkRequest,
): Pick<ForkPlan, 'request' | 'agent' | 'directory' | 'turn' | 'notes'> {
  const { session, into, location, currentDirectory, name } = request;
  const { agent, takesNames } = sourceOf(deps, into ?? session.agent);
  const notes = name === null || takesNames ? [] : [`--name is ignored: ${agent} does not support it.`];
  return { request, agent, directory: location.directory ?? currentDirectory, turn: null, notes };
}

/** @throws SmartForkError USAGE for an agent whose program creates no sessions */
export function threadsOf({ threads }: ForkDependencies, agent: Agent): AgentThreads {
  const own = threads?.[agent];
  if (own !== undefined) return own;
  throw new SmartForkError('USAGE', `${agent} cannot resume a session cut at a turn`, {
    hint: 'Fork the whole session: leave out --at.',
  });
}

export function sourceOf({ sources }: Pick<ForkDependencies, 'sources'>, agent: Agent): TranscriptSource {
  const source = sources.find((one) => one.agent === agent);
  if (source === undefined) throw new SmartForkError('USAGE', `${agent} is not a known agent`);
  return source;
}

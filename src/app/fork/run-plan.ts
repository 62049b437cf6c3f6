import { SmartForkError } from '../../domain/errors.ts';
import { startLine } from '../../domain/machine/shell.ts';
import type { ForkDependencies, ReadyFork } from './fork-request.ts';
import { type ForkPlan, sourceOf } from './plan-fork.ts';
import { startWords } from './plan-words.ts';
import { recordFork } from './record-fork.ts';
import { type Made, takeStep } from './take-step.ts';

interface RunOptions {
  /** Whether `start` starts the agent itself, once, so that smart-fork can choose the new session's id. */
  startsHere?: boolean;
  /** Aborted when the user cancels. */
  signal?: AbortSignal;
}

/**
 * Carries out a plan: takes the steps that write, records the fork, and hands it to `start`, which starts the agent. If one of them
 * fails, or the signal is aborted before the agent starts, everything is undone, last step first.
 * @throws SmartForkError USAGE, TRANSCRIPT_UNREADABLE, STORE_UNAVAILABLE, and what `start` throws
 */
export async function runPlan<T>(
  deps: ForkDependencies,
  plan: ForkPlan,
  start: (fork: ReadyFork) => Promise<T>,
  { startsHere = false, signal }: RunOptions = {},
): Promise<T> {
  const { transcript, first } = plan.request.location;
  const made: Made = { transcript, first, instead: null, notes: [], undo: [] };
  try {
    const done = await takeSteps(deps, plan, made, signal);
    const fork = readyFork(deps, done, made, startsHere);
    const id = await recordFork(deps, done.request, fork, copiedBytes(deps, done, made));
    made.undo.push(() => deps.journal.withdraw(id));
    stopIf(signal);
    const result = await start(fork);
    noteResult(deps, fork, id);
    return result;
  } catch (error) {
    undoAll(made.undo);
    throw error;
  }
}

/** Also after an undo that fails. */
function undoAll(undo: (() => void)[]): void {
  try {
    undo.pop()?.();
  } finally {
    if (undo.length > 0) undoAll(undo);
  }
}

/** Returns the plan that was carried out in the end. */
async function takeSteps(
  deps: ForkDependencies,
  plan: ForkPlan,
  made: Made,
  signal: AbortSignal | undefined,
): Promise<ForkPlan> {
  for (const step of plan.steps) {
    stopIf(signal);
    const instead = await takeStep({ deps, plan, made }, step);
    if (instead !== null) return takeSteps(deps, instead, made, signal);
  }
  return plan;
}

function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new SmartForkError('USAGE', 'cancelled');
}

function readyFork(deps: ForkDependencies, plan: ForkPlan, made: Made, startsHere: boolean): ReadyFork {
  const { way, agent, directory, turn, notes } = plan;
  const { transcript, instead } = made;
  const source = sourceOf(deps, agent);
  const session = instead !== null && 'session' in instead ? instead.session : null;
  const from = instead ?? (transcript && { fork: transcript });
  if (from === null)
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', 'the transcript is not on this machine');
  const chosenId = session === null && startsHere && source.choosesIds ? deps.newId() : null;
  const start = {
    words: startWords(source, from, plan, chosenId),
    directory,
    first: instead === null ? made.first : null,
  };
  return {
    way,
    agent,
    ...start,
    command: startLine(start, deps.machine.shell),
    turn: session?.turn ?? turn,
    resultSessionId: session?.sessionId ?? chosenId,
    notes: [...made.notes, ...notes],
  };
}

/** The size of the session that smart-fork made. */
function copiedBytes(deps: ForkDependencies, { agent }: ForkPlan, { instead }: Made): number | null {
  if (instead === null || !('session' in instead)) return null;
  return sourceOf(deps, agent).inspect(instead.session.path)?.size ?? null;
}

/** The agent writes its own fork with the first answer, or never. A session made by smart-fork is in the journal already. */
function noteResult(deps: ForkDependencies, { way, agent, resultSessionId }: ReadyFork, id: number): void {
  if (way === 'turn' || resultSessionId === null) return;
  if (sourceOf(deps, agent).locate(resultSessionId) !== null) deps.journal.setResult(id, resultSessionId);
}

import { SmartForkError } from '../../domain/errors.ts';
import { sourceOf } from '../archive/restore-session.ts';
import type { ForkDependencies } from './fork-request.ts';
import type { ForkPlan } from './plan-fork.ts';
import { type ReadyFork, readyFork, startWords } from './ready-fork.ts';
import { recordFork } from './record-fork.ts';
import { type Made, takeStep } from './take-step.ts';

interface RunOptions {
  /** Whether `start` starts the agent itself, once, so that smart-fork can choose the new session's id. */
  startsHere?: boolean;
  /** Undoes everything when `start` is done, too. */
  leavesNothing?: boolean;
  /** Aborted when the user cancels. */
  signal?: AbortSignal | undefined;
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
  { startsHere = false, leavesNothing = false, signal }: RunOptions = {},
): Promise<T> {
  const { location } = plan.request;
  const made: Made = { location, session: null, context: null, notes: [], undo: [] };
  try {
    const done = await takeSteps(deps, plan, made, signal);
    const fork = startable(deps, done, made, startsHere);
    const source = sourceOf(deps.sources, fork.agent);
    const copy = made.session && source.inspect(made.session.path);
    const copiedBytes = copy && (source.endOf?.(copy.path) ?? copy.size);
    const id = await recordFork(deps, plan.request, fork, { copiedBytes, printed: false });
    made.undo.push(() => deps.journal.withdraw(id));
    stopIf(signal);
    const result = await start(fork);
    if (leavesNothing) await undoAll(made.undo);
    else noteResult(deps, fork, id);
    return result;
  } catch (error) {
    await undoAll(made.undo);
    throw error;
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
    const other = await takeStep({ deps, request: plan.request, made }, step);
    if (other !== null) return takeSteps(deps, other, made, signal);
  }
  return plan;
}

function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new SmartForkError('USAGE', 'cancelled');
}

function startable(deps: ForkDependencies, plan: ForkPlan, made: Made, startsHere: boolean): ReadyFork {
  const { request, notes } = plan;
  const { session, context, location } = made;
  const { transcript } = location;
  const choosesId =
    session === null && startsHere && sourceOf(deps.sources, request.agent).commands?.choosesIds === true;
  const chosenId = choosesId ? deps.newId() : null;
  const from = session ? { session } : context ? { context } : transcript && { fork: transcript };
  if (from === null) throw new SmartForkError('TRANSCRIPT_UNREADABLE', 'its transcript is not here');
  return readyFork(deps, plan, {
    words: startWords(deps, from, request, chosenId),
    first: 'fork' in from ? location.first : null,
    turn: session?.turn ?? request.turn,
    resultSessionId: session?.sessionId ?? chosenId,
    notes: [...made.notes, ...notes],
  });
}

/** The agent writes its own fork with the first answer, or never. A session made by smart-fork is in the journal already. */
function noteResult(deps: ForkDependencies, { way, agent, resultSessionId }: ReadyFork, id: number): void {
  if (way === 'turn' || resultSessionId === null) return;
  if (sourceOf(deps.sources, agent).locate(resultSessionId) !== null)
    deps.journal.setResult(id, resultSessionId);
}

/** Also after an undo that fails. */
async function undoAll(undo: Made['undo']): Promise<void> {
  try {
    await undo.pop()?.();
  } finally {
    if (undo.length > 0) await undoAll(undo);
  }
}

import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { NewThread, TranscriptFile } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import type { Restored } from '../archive/restore-session.ts';
import { retrieveSession } from '../read/retrieve-session.ts';
import type { ForkDependencies } from './fork-request.ts';
import {
  type ForkPlan,
  type ForkStep,
  planGone,
  planInstead,
  type StepOf,
  sourceOf,
  threadsOf,
} from './plan-fork.ts';
import { stepNotes } from './plan-words.ts';
import { restoreNotes, restoreToFork } from './prepare-fork.ts';

/** What the steps of a plan have made so far. */
export interface Made {
  /** The session's transcript, once it is on this machine, and a command that must run before the agent forks it. */
  transcript: TranscriptFile | null;
  first: string[] | null;
  /** What the agent starts from instead of the transcript. */
  instead: { session: NewThread } | { context: string } | null;
  notes: string[];
  /** Undoes what was done, in the order in which it was done. */
  undo: (() => void)[];
}

interface Run {
  deps: ForkDependencies;
  plan: ForkPlan;
  made: Made;
}

/** Takes a step that writes. If it turns out to be impossible, returns the plan to carry out instead; otherwise null. */
export async function takeStep(run: Run, step: ForkStep): Promise<ForkPlan | null> {
  switch (step.do) {
    case 'restore':
      return restore(run);
    case 'cut':
      return cut(run, step);
    case 'import':
      return importSession(run, step);
    case 'write context':
      return writeContext(run, step);
    case 'start':
      return null;
  }
}

async function restore({ deps, plan, made }: Run): Promise<ForkPlan | null> {
  const { request, directory } = plan;
  const back = await restoreToFork(deps, request.session, directory);
  if (back === null) return planGone(deps, request);
  made.undo.push(() => removeRestored(deps, back.restored));
  made.transcript = back.location.transcript;
  made.first = back.location.first;
  made.notes.push(...restoreNotes(back.restored));
  return null;
}

/** A replaced transcript stays: it has all lines of the one before. So do parents, which are sessions of their own. */
function removeRestored(deps: ForkDependencies, { agent, state, path, subagents = [] }: Restored): void {
  if (state !== 'restored') return;
  const source = sourceOf(deps, agent);
  for (const file of [...subagents.map((id) => source.subagentPath?.(path, id)), path])
    if (file !== undefined) deps.removeTranscript(file);
}

async function cut(run: Run, step: StepOf<'cut'>): Promise<ForkPlan | null> {
  const { deps, plan, made } = run;
  const { request, directory: workingDirectory, agent } = plan;
  const { turn, at } = step;
  const source = sourceOf(deps, agent);
  const cutFrom = async (transcript: TranscriptFile): Promise<NewThread> => {
    if ('prompts' in at) {
      return threadsOf(deps, agent).forkAt({ transcript, prompts: at.prompts, turn, workingDirectory });
    }
    const sessionId = deps.newId();
    const path = source.cut?.(transcript.path, { end: at.end, sessionId, workingDirectory }) ?? '';
    return { sessionId, path, turn };
  };
  const session =
    made.transcript === null
      ? await borrowTranscript(deps, source, request.session, cutFrom)
      : await cutFrom(made.transcript);
  return session === null ? planGone(deps, request) : keep(run, step, session);
}

async function importSession(run: Run, step: StepOf<'import'>): Promise<ForkPlan | null> {
  const { deps, plan } = run;
  const { request, agent, directory: workingDirectory } = plan;
  const { transcript, prompts, turn } = step;
  try {
    const wanted = { transcript, prompts, turn, workingDirectory };
    return keep(run, step, await threadsOf(deps, agent).forkImported(wanted));
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return planInstead(deps, request, errorText(error));
  }
}

/** The agent's program may end a session at a later turn than asked. */
function keep({ deps, plan, made }: Run, step: StepOf<'cut' | 'import'>, session: NewThread): null {
  made.undo.push(() => deps.removeTranscript(session.path));
  made.instead = { session };
  made.notes.push(...stepNotes({ ...step, turn: session.turn }, plan.agent, 'now'));
  return null;
}

const CONTEXT_TOKENS = 8000;

async function writeContext(
  { deps, plan, made }: Run,
  { untilTurn }: StepOf<'write context'>,
): Promise<null> {
  const { session, location, query } = plan.request;
  const { markdown } = await retrieveSession(deps, {
    session,
    location,
    maxTokens: CONTEXT_TOKENS,
    untilTurn: untilTurn ?? undefined,
    query: query ?? undefined,
  });
  const path = deps.files.write(session.session_id, markdown);
  made.undo.push(() => deps.files.remove(path));
  made.instead = { context: path };
  return null;
}

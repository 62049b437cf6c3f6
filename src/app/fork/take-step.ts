import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { NewThread, TranscriptFile } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { type Restored, sourceOf } from '../archive/restore-session.ts';
import { retrieveSession } from '../read/retrieve-session.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import { type ForkPlan, type ForkStep, planGone, planInstead, type StepOf, threadsOf } from './plan-fork.ts';
import { type ForkLocation, restoreNotes, restoreToFork } from './prepare-fork.ts';
import { stepNotes } from './ready-fork.ts';

/** What the steps of a plan have made so far. */
export interface Made {
  /** Where the session's transcript is by now. */
  location: ForkLocation;
  /** A session made from it. */
  session: NewThread | null;
  /** The path of the file with the context. */
  context: string | null;
  notes: string[];
  /** Undoes what was done, in the order in which it was done. */
  undo: (() => void)[];
}

interface Run {
  deps: ForkDependencies;
  request: ForkRequest;
  made: Made;
}

/** Takes a step that writes, and adds to `made`. If it turns out to be impossible, returns the plan to carry out instead; otherwise null. */
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

async function restore({ deps, request, made }: Run): Promise<ForkPlan | null> {
  const back = await restoreToFork(deps, request.session, request.location.directory);
  if (back === null) return planGone(deps, request);
  made.undo.push(() => removeRestored(deps, back.restored));
  made.location = back.location;
  made.notes.push(...restoreNotes(back.restored));
  return null;
}

/** A replaced transcript stays: it has all lines of the one before. So do parents, which are sessions of their own. */
function removeRestored(deps: ForkDependencies, { agent, state, path, subagents = [] }: Restored): void {
  if (state !== 'restored') return;
  const source = sourceOf(deps.sources, agent);
  for (const file of [...subagents.map((id) => source.bytes?.subagentPath?.(path, id)), path])
    if (file !== undefined) deps.removeTranscript(file);
}

async function cut(run: Run, step: StepOf<'cut'>): Promise<ForkPlan | null> {
  const { deps, request, made } = run;
  const { turn, at } = step;
  const { agent } = request;
  const { transcript: original, directory: workingDirectory } = made.location;
  const source = sourceOf(deps.sources, agent);
  const cutFrom = async (transcript: TranscriptFile): Promise<NewThread> => {
    if ('prompts' in at)
      return threadsOf(deps, agent).forkAt({ transcript, prompts: at.prompts, turn, workingDirectory });
    const sessionId = deps.newId();
    const path = source.cut?.(transcript.path, { end: at.end, sessionId, workingDirectory }) ?? '';
    return { sessionId, path, turn };
  };
  const session =
    original === null
      ? await borrowTranscript(deps, source, request.session, cutFrom)
      : await cutFrom(original);
  return session === null ? planGone(deps, request) : keep(run, step, session);
}

async function importSession(run: Run, step: StepOf<'import'>): Promise<ForkPlan | null> {
  const { deps, request } = run;
  const { transcript, prompts, turn } = step;
  const wanted = { transcript, prompts, turn, workingDirectory: request.location.directory };
  try {
    return keep(run, step, await threadsOf(deps, request.agent).forkImported(wanted));
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return planInstead(deps, request, errorText(error));
  }
}

/** The agent's program may end a session at a later turn than asked. */
function keep({ deps, request, made }: Run, step: StepOf<'cut' | 'import'>, session: NewThread): null {
  made.undo.push(() => deps.removeTranscript(session.path));
  made.session = session;
  made.notes.push(...stepNotes({ ...step, turn: session.turn }, request.agent, 'now'));
  return null;
}

const CONTEXT_TOKENS = 8000;

async function writeContext(
  { deps, request, made }: Run,
  { untilTurn }: StepOf<'write context'>,
): Promise<null> {
  const { session, location, query } = request;
  const { markdown } = await retrieveSession(deps, {
    session,
    location,
    maxTokens: CONTEXT_TOKENS,
    untilTurn: untilTurn ?? undefined,
    query: query ?? undefined,
  });
  const path = deps.files.write(session.session_id, markdown);
  made.undo.push(() => deps.files.remove(path));
  made.context = path;
  return null;
}

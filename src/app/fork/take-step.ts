import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { NewThread, TranscriptFile } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { type Restored, sourceOf } from '../archive/restore-session.ts';
import type { ForkDependencies, ForkLocation, ForkRequest } from './fork-request.ts';
import { readAsText, readForOther } from './other-agent.ts';
import {
  type ForkPlan,
  type ForkStep,
  planConverted,
  planGone,
  planInstead,
  type StepOf,
  threadsOf,
} from './plan-fork.ts';
import { restoreNotes, restoreToFork } from './prepare-fork.ts';
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
  undo: (() => void | Promise<void>)[];
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
    case 'convert':
      return convert(run, step);
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

/**
 * A replaced transcript stays: it has all lines of the one before. So do parents, which are sessions of their own, and a session in an
 * agent's database: another program may have continued it since.
 */
function removeRestored(
  deps: ForkDependencies,
  { agent, state, path, files = [], subagents = [] }: Restored,
): void {
  if (state !== 'restored' || deps.threads[agent]?.restores !== undefined) return;
  const source = sourceOf(deps.sources, agent);
  for (const file of [...subagents.map((id) => source.bytes?.subagentPath?.(path, id)), ...files, path])
    if (file !== undefined) deps.removeTranscript(file);
}

async function cut(run: Run, step: StepOf<'cut'>): Promise<ForkPlan | null> {
  const { deps, request, made } = run;
  const { turn, at } = step;
  const { agent } = request;
  const { transcript: original, directory: workingDirectory } = made.location;
  const source = sourceOf(deps.sources, agent);
  const cutFrom = async (transcript: TranscriptFile): Promise<NewThread> => {
    const { end, prompts } = at;
    if (prompts !== undefined)
      return threadsOf(deps, agent).forkAt({ transcript, prompts, turn, end, workingDirectory });
    const sessionId = deps.newId();
    const former = request.session.jsonl_path;
    const path = source.cut?.(transcript.path, { end, sessionId, workingDirectory, former }) ?? '';
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
  const { imports } = threadsOf(deps, request.agent);
  try {
    return imports === undefined ? null : keep(run, step, await imports.fork(wanted));
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return (await planConverted(deps, request)) ?? planInstead(deps, request, errorText(error));
  }
}

async function convert(run: Run, step: StepOf<'convert'>): Promise<ForkPlan | null> {
  const { deps, request } = run;
  const { session, location, agent } = request;
  const { directory: workingDirectory } = location;
  const messages = await readForOther(deps, { ...request, turn: step.turn ?? step.turns });
  if (messages === null) return planGone(deps, request);
  const conversation = { title: session.title, messages };
  const originId = session.session_id;
  const wanted = { conversation, originId, sessionId: deps.newId(), workingDirectory };
  const reader = sourceOf(deps.sources, agent);
  try {
    const path = reader.create?.(wanted);
    const thread =
      path === undefined
        ? await threadsOf(deps, agent).create?.(wanted)
        : { sessionId: wanted.sessionId, path };
    if (thread === undefined) return planInstead(deps, request, null);
    return keep(run, step, { ...thread, turn: step.turn ?? step.turns });
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return planInstead(deps, request, errorText(error));
  }
}

/** The agent's program may end a session at a later turn than asked. */
function keep(
  { deps, request, made }: Run,
  step: StepOf<'cut' | 'import' | 'convert'>,
  session: NewThread,
): null {
  made.undo.push(() => (session.remove ?? (() => deps.removeTranscript(session.path)))());
  made.session = session;
  made.notes.push(...stepNotes({ ...step, turn: session.turn }, request.agent, 'now'));
  return null;
}

async function writeContext(
  { deps, request, made }: Run,
  { untilTurn }: StepOf<'write context'>,
): Promise<null> {
  const { markdown } = await readAsText(deps, { ...request, turn: untilTurn });
  const path = deps.files.write(request.session.session_id, markdown);
  made.undo.push(() => deps.files.remove(path));
  made.context = path;
  return null;
}

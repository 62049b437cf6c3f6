import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { commandsOf } from '../sessions/name-here.ts';
import { userPrompts } from '../sessions/read-conversation.ts';
import { checkTurn, countTurns, forkAtTurn } from './fork-at-turn.ts';
import {
  type ForkDependencies,
  type ForkRequest,
  folderOf,
  type Start,
  startOptions,
} from './fork-request.ts';
import { restoreNotes, restoreToFork } from './prepare-fork.ts';

/**
 * Forks at a turn, with a copy that ends there or with the agent's own program. Null if the transcript is neither on this machine
 * nor archived.
 */
export async function forkTurn(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  turn: number,
): Promise<Start | null> {
  const { session, location, writeNow } = request;
  const work = (transcript: TranscriptFile, parents: TranscriptFile[] = []) =>
    writeNow
      ? cutNow(deps, request, source, { transcript, turn })
      : cutLater(request, source, turn, turnsOf(source, transcript, turn, parents));
  if (location.transcript !== null) return work(location.transcript);
  // The agent's program reads only its own folders.
  if (writeNow && source.cut === undefined) return restoreAndCut(deps, request, source, turn);
  return borrowTranscript(deps, source, session, async (transcript, parents) => work(transcript, parents));
}

/** @throws SmartForkError USAGE for a turn that does not exist */
function turnsOf(
  source: TranscriptSource,
  transcript: TranscriptFile,
  turn: number,
  parents: TranscriptFile[],
): number {
  if (source.cut !== undefined) return countTurns(source, transcript, turn);
  return checkTurn(transcript, turn, userPrompts(source, transcript, parents).length);
}

async function restoreAndCut(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  turn: number,
): Promise<Start | null> {
  const back = await restoreToFork(deps, request.session, folderOf(request));
  if (back?.location.transcript == null) return null;
  const { restored } = back;
  const start = await cutNow(deps, request, source, { transcript: back.location.transcript, turn });
  return {
    ...start,
    notes: [...restoreNotes(restored), ...start.notes],
    discard() {
      start.discard();
      if (restored.state === 'restored') deps.removeTranscript(restored.path);
    },
  };
}

async function cutNow(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  { transcript, turn }: { transcript: TranscriptFile; turn: number },
): Promise<Start> {
  const directory = folderOf(request);
  const commands = commandsOf(source, transcript.sessionId);
  const fork = await copyOf(deps, source, { transcript, turn, directory });
  return {
    way: 'turn',
    agent: source.agent,
    words: commands.resume(commands.resumeTarget(fork, directory), startOptions(request.name, null)),
    directory,
    first: null,
    turn: fork.turn,
    resultSessionId: fork.sessionId,
    notes: [`A copy up to turn ${fork.turn} of ${fork.turns}; the original stays unchanged.`],
    copiedBytes: source.inspect(fork.path)?.size ?? null,
    discard: () => deps.removeTranscript(fork.path),
  };
}

async function copyOf(
  deps: ForkDependencies,
  source: TranscriptSource,
  { transcript, turn, directory }: { transcript: TranscriptFile; turn: number; directory: string },
): Promise<{ sessionId: string; path: string; turn: number; turns: number }> {
  const threads = deps.threads?.[source.agent];
  if (source.cut !== undefined || threads === undefined) {
    return forkAtTurn(source, { transcript, turn, workingDirectory: directory, sessionId: deps.newId() });
  }
  const prompts = userPrompts(source, transcript);
  const turns = checkTurn(transcript, turn, prompts.length);
  const thread = await threads.forkAt({ transcript, prompts, turn, workingDirectory: directory });
  return { ...thread, turns };
}

/** The copy is made when the command runs. */
function cutLater(request: ForkRequest, source: TranscriptSource, turn: number, turns: number): Start {
  const { session, name } = request;
  const words = ['smart-fork', 'fork', session.session_id, '--at', String(turn), '--exec'];
  return {
    way: 'turn',
    agent: source.agent,
    words: [...words, ...(name === null ? [] : ['--name', name])],
    directory: folderOf(request),
    first: null,
    turn,
    resultSessionId: null,
    notes: [`The command makes a copy up to turn ${turn} of ${turns}; the original stays unchanged.`],
    copiedBytes: null,
    discard: () => undefined,
  };
}

import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { commandsOf } from '../sessions/name-here.ts';
import { userPrompts } from '../sessions/read-conversation.ts';
import { checkTurn } from './fork-at-turn.ts';
import {
  type ForkDependencies,
  type ForkRequest,
  folderOf,
  type Start,
  startOptions,
} from './fork-request.ts';

/**
 * Imports a session into another agent, using that agent's own program. Returns a reason if that is not possible; the reason is null
 * if the program cannot import sessions at all.
 * @throws SmartForkError USAGE for a turn that does not exist
 */
export async function forkInto(
  deps: ForkDependencies,
  request: ForkRequest,
  from: TranscriptSource,
  to: TranscriptSource,
): Promise<{ start: Start } | { reason: string | null }> {
  const { session, turn, writeNow } = request;
  const { transcript } = request.location;
  const threads = deps.threads?.[to.agent];
  if (threads === undefined) return { reason: null };
  if (transcript === null) return { reason: 'its transcript is not on this machine' };
  if (!deps.machine.directoryExists(session.working_directory)) {
    return { reason: `its folder is not on this machine (${session.working_directory || 'unknown'})` };
  }
  const reason = threads.whyNotImport(transcript);
  if (reason !== null) return { reason };
  const prompts = userPrompts(from, transcript);
  if (turn !== null) checkTurn(transcript, turn, prompts.length);
  if (!writeNow) return { start: importLater(request, to, prompts.length) };
  try {
    const workingDirectory = folderOf(request);
    const made = await threads.forkImported({ transcript, prompts, turn, workingDirectory });
    return { start: startOf(deps, request, to, { ...made, turns: prompts.length }) };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return { reason: errorText(error) };
  }
}

function startOf(
  deps: ForkDependencies,
  request: ForkRequest,
  to: TranscriptSource,
  made: Pick<TranscriptFile, 'sessionId' | 'path'> & { turn: number; turns: number },
): Start {
  const directory = folderOf(request);
  const commands = commandsOf(to, request.session.session_id);
  return {
    ...shared(request, to, made),
    words: commands.resume(commands.resumeTarget(made, directory), startOptions(null, null)),
    resultSessionId: made.sessionId,
    notes: [`A ${to.agent} session with ${lengthOf(made)}; the original stays unchanged.`],
    copiedBytes: to.inspect(made.path)?.size ?? null,
    discard: () => deps.removeTranscript(made.path),
  };
}

/** The import happens when the command runs. */
function importLater(request: ForkRequest, to: TranscriptSource, turns: number): Start {
  const made = { turn: request.turn ?? turns, turns };
  const at = request.turn === null ? [] : ['--at', String(request.turn)];
  return {
    ...shared(request, to, made),
    words: ['smart-fork', 'fork', request.session.session_id, '--into', to.agent, ...at, '--exec'],
    resultSessionId: null,
    notes: [
      `The command creates a ${to.agent} session with ${lengthOf(made)}; the original stays unchanged.`,
    ],
    copiedBytes: null,
    discard: () => undefined,
  };
}

function shared(request: ForkRequest, { agent }: TranscriptSource, { turn }: { turn: number }) {
  return { way: 'turn' as const, agent, directory: folderOf(request), first: null, turn };
}

function lengthOf({ turn, turns }: { turn: number; turns: number }): string {
  return turn === turns ? 'the whole conversation, as imported' : `the turns up to ${turn} of ${turns}`;
}

import { SmartForkError } from '../../domain/errors.ts';
import { commandLine, joinCommands, type Shell } from '../../domain/machine/shell.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import { promptToRead } from '../../domain/session/own-output.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { ForkWay } from '../../ports/fork-journal.ts';
import type { ContextFiles } from '../../ports/machine.ts';
import type { SessionRestorer } from '../../ports/session-archive.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { type ReadDependencies, retrieveSession } from '../read/retrieve-session.ts';
import { planFork } from '../sessions/locate-session.ts';
import { isForAgent, nameHere } from '../sessions/name-here.ts';
import { forkAtTurn } from './fork-at-turn.ts';

export interface ForkDependencies extends ReadDependencies {
  tokenizer: LexicalTokenizer;
  restorer: SessionRestorer;
  files: ContextFiles;
  removeTranscript(path: string): void;
  newId(): string;
}

export interface ForkRequest {
  session: SessionPayload;
  /** What the user wants to do: it decides which parts of the context are taken along by `inject`. */
  query: string | null;
  /** The last turn to take along, from 1; null: all of them. */
  turn: number | null;
  /** The agent to start; null: the session's own. */
  into: Agent | null;
  /** Context as text even where the agent could fork the session. */
  inject: boolean;
  name: string | null;
  /** Where the user is: the fork starts here when the session's own folder is not on this machine. */
  currentDirectory: string;
  /** Whether it will be started by us, once: then its id is chosen beforehand. */
  startNow: boolean;
  /** Whether a transcript that is not here is restored now; else the command does it, and nothing is written for it. */
  restoreNow: boolean;
}

/** A fork that is ready to be started. */
export interface ReadyFork {
  way: ForkWay;
  agent: Agent;
  words: string[];
  /** Null: any folder. */
  directory: string | null;
  /** A command that must run before. */
  first: string[] | null;
  /** All of it as one line, to copy. */
  command: string;
  turn: number | null;
  /** The id of the session that will come of it, where it is known. */
  resultSessionId: string | null;
  /** What is not as the user may expect. */
  notes: string[];
  /** Takes back what was written for it. */
  discard(): void;
}

const CONTEXT_TOKENS = 8000;

/**
 * Gets a fork ready: the agent's own where it can, else by context. Writes what its command needs, and nothing else.
 * @throws SmartForkError USAGE, TRANSCRIPT_UNREADABLE, STORE_UNAVAILABLE
 */
export async function makeFork(deps: ForkDependencies, request: ForkRequest): Promise<ReadyFork> {
  const { session, inject, turn } = request;
  const agent = request.into ?? session.agent;
  if (agent !== session.agent) return injectContext(deps, request, otherAgent(session.agent, agent));
  if (inject)
    return injectContext(deps, request, 'The context goes along as text, not the conversation itself.');
  const source = sourceOf(deps, agent);
  const found = findTranscript(deps, session, source);
  if (found !== null)
    return turn === null
      ? forkWhole(deps, request, source, found)
      : forkTurn(deps, request, source, found, turn);
  const restored =
    turn === null
      ? await restoreAndFork(deps, request, source)
      : await forkKeptTurn(deps, request, source, turn);
  return restored ?? injectContext(deps, request, `Not on this machine and not archived: ${asText}`);
}

const asText = 'the context goes along as text, not the conversation itself.';

function otherAgent(from: Agent, to: Agent): string {
  const names = { claude: 'Claude Code', codex: 'Codex' };
  return `${names[to]} cannot read a session of ${names[from]}: ${asText}`;
}

interface Found {
  transcript: Pick<TranscriptFile, 'sessionId' | 'path'>;
  directory: string | null;
  first: string[] | null;
}

function findTranscript(
  deps: ForkDependencies,
  session: SessionPayload,
  source: TranscriptSource,
): (Found & { transcript: TranscriptFile }) | null {
  const plan = planFork(deps, session);
  const here = plan.path === null ? null : source.inspect(plan.path);
  return here && plan.run ? { transcript: here, directory: plan.run.directory, first: plan.run.first } : null;
}

/** Null when nothing is kept of the session. */
async function restoreAndFork(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
): Promise<ReadyFork | null> {
  const { session, currentDirectory: directory } = request;
  if (!request.restoreNow) {
    if (!planFork(deps, session).restorable) return null;
    const name = nameHere(deps, session);
    const path = source.restorePath(name, directory);
    const first = ['smart-fork', 'restore', session.session_id, '--to', directory];
    const transcript = { sessionId: name, path };
    return forkWhole(deps, request, source, { transcript, directory, first });
  }
  if (!isForAgent(source, nameHere(deps, session))) return null;
  const restored = await deps.restorer.restore(session, directory);
  const transcript = restored === null ? null : source.inspect(restored.path);
  if (restored === null || transcript === null) return null;
  const fork = forkWhole(deps, request, source, { transcript, directory, first: null });
  const discard = () => {
    if (restored.created) deps.removeTranscript(restored.path);
  };
  const said = restored.created ? [`Restored its transcript: ${restored.path}`] : [];
  return { ...fork, notes: [...said, ...restored.notes, ...fork.notes], discard };
}

/** The cut transcript is all that is written; what it is cut from is read where it is kept. */
function forkKeptTurn(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  turn: number,
): Promise<ReadyFork | null> {
  return borrowTranscript(deps, source, request.session, async (transcript) =>
    forkTurn(deps, request, source, { transcript, directory: request.currentDirectory, first: null }, turn),
  );
}

function forkWhole(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  found: Found,
): ReadyFork {
  const { name, startNow } = request;
  const sessionId = startNow && source.choosesIds ? deps.newId() : null;
  const target = source.resumeTarget(found.transcript, found.directory);
  const words = source.forkCommand(target, {
    ...(name !== null && { name }),
    ...(sessionId !== null && { sessionId }),
  });
  return finish(deps.machine.shell, {
    way: 'native',
    agent: source.agent,
    words,
    directory: found.directory,
    first: found.first,
    turn: null,
    resultSessionId: sessionId,
    notes: noName(source, name),
    discard: () => undefined,
  });
}

function forkTurn(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  found: Found & { transcript: TranscriptFile },
  turn: number,
): ReadyFork {
  const directory = found.directory ?? request.currentDirectory;
  const fork = forkAtTurn(source, {
    transcript: found.transcript,
    turn,
    workingDirectory: directory,
    sessionId: deps.newId(),
  });
  const target = source.resumeTarget(fork, directory);
  return finish(deps.machine.shell, {
    way: 'turn',
    agent: source.agent,
    words: source.resumeCommand(target, request.name === null ? {} : { name: request.name }),
    directory,
    first: null,
    turn,
    resultSessionId: fork.sessionId,
    notes: [`A copy that ends with turn ${turn} of ${fork.turns}; the original stays as it is.`],
    discard: () => deps.removeTranscript(fork.path),
  });
}

async function injectContext(deps: ForkDependencies, request: ForkRequest, note: string): Promise<ReadyFork> {
  const { session, query, name, turn, startNow } = request;
  if (turn !== null) {
    throw new SmartForkError('USAGE', '--at needs the transcript, and the agent that wrote it', {
      hint: 'Leave out --at: the context is cut to what fits and what matches.',
    });
  }
  const source = sourceOf(deps, request.into ?? session.agent);
  const retrieved = await retrieveSession(deps, {
    session,
    maxTokens: CONTEXT_TOKENS,
    ...(query !== null && { query }),
  });
  const path = deps.files.write(session.session_id, retrieved.markdown);
  const sessionId = startNow && source.choosesIds ? deps.newId() : null;
  return finish(deps.machine.shell, {
    way: 'inject',
    agent: source.agent,
    words: source.startCommand(promptToRead(source.fileReference(path), query), {
      ...(name !== null && { name }),
      ...(sessionId !== null && { sessionId }),
    }),
    directory: null,
    first: null,
    turn: null,
    resultSessionId: sessionId,
    notes: [note, ...noName(source, name)],
    discard: () => deps.files.remove(path),
  });
}

function noName(source: TranscriptSource, name: string | null): string[] {
  return name === null || source.takesNames ? [] : [`--name is left out: ${source.agent} takes no name.`];
}

function sourceOf({ sources }: ForkDependencies, agent: Agent): TranscriptSource {
  const source = sources.find((one) => one.agent === agent);
  if (source === undefined) throw new SmartForkError('USAGE', `${agent} is not an agent that is known here`);
  return source;
}

function finish(shell: Shell, fork: Omit<ReadyFork, 'command'>): ReadyFork {
  const command = commandLine(fork.words, fork.directory, shell);
  if (fork.first === null) return { ...fork, command };
  return { ...fork, command: joinCommands([commandLine(fork.first, null, shell), command], shell) };
}

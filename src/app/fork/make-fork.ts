import { SmartForkError } from '../../domain/errors.ts';
import { type Shell, startLine } from '../../domain/machine/shell.ts';
import { promptToRead } from '../../domain/own/own-output.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { ForkJournal, ForkWay } from '../../ports/fork-journal.ts';
import type { ContextFiles } from '../../ports/machine.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import type { RestoreDependencies } from '../archive/restore-session.ts';
import { type ReadDependencies, retrieveSession } from '../read/retrieve-session.ts';
import type { SessionLocation } from '../sessions/locate-session.ts';
import { nameHere } from '../sessions/name-here.ts';
import { countTurns, forkAtTurn } from './fork-at-turn.ts';
import { restoreNotes, restoreToFork } from './prepare-fork.ts';

export interface ForkDependencies extends ReadDependencies, RestoreDependencies {
  tokenizer: LexicalTokenizer;
  journal: ForkJournal;
  files: ContextFiles;
  removeTranscript(path: string): void;
  newId(): string;
}

export interface ForkRequest {
  session: SessionPayload;
  /** As `prepareFork` found it. */
  location: SessionLocation;
  /** What the user wants to do; it decides which parts of the context `inject` passes on. */
  query: string | null;
  /** Rank in the results, from 1; null when the session was named. */
  rank: number | null;
  /** The last turn of the fork, from 1; null: the last of the session. */
  turn: number | null;
  /** The agent to start; null: the session's own. */
  into: Agent | null;
  /** Pass the context as text even if the agent could fork the session. */
  inject: boolean;
  name: string | null;
  /** The fork starts here when neither the session's own folder nor its repository is on this machine. */
  currentDirectory: string;
  /** Whether smart-fork starts the agent itself, once: it can then choose the session id. */
  startNow: boolean;
  /** Whether what the fork needs in the agent's folders is written now; otherwise the command writes it when it runs. */
  writeNow: boolean;
}

/** How a fork is started. */
interface Start {
  way: ForkWay;
  agent: Agent;
  words: string[];
  /** Null: any folder. */
  directory: string | null;
  /** A command that must run first. */
  first: string[] | null;
  turn: number | null;
  /** The id of the new session, where it is known. */
  resultSessionId: string | null;
  /** Sentences for the user: how the fork differs from what was asked for. */
  notes: string[];
  /** For a fork at a turn: the size of the copy. */
  copiedBytes: number | null;
  /** Removes what was written for it. */
  discard(): void;
}

/** A fork that can be started. `discard` undoes everything that was done for it. */
export interface ReadyFork extends Omit<Start, 'copiedBytes'> {
  /** The whole start as one shell line. */
  command: string;
  /** Records the new session in the journal, if the agent has written one. */
  noteResult(): void;
}

const CONTEXT_TOKENS = 8000;

/**
 * Makes a fork: natively where the agent can, otherwise from the context as text. Writes only what its command needs, and
 * records the fork in the journal.
 * @throws SmartForkError USAGE, TRANSCRIPT_UNREADABLE, STORE_UNAVAILABLE
 */
export async function makeFork(deps: ForkDependencies, request: ForkRequest): Promise<ReadyFork> {
  const { copiedBytes, ...fork } = await startOf(deps, request);
  const { way, agent, turn, resultSessionId } = fork;
  // The command records the fork when it runs.
  if (way === 'turn' && resultSessionId === null) return unrecorded(fork, deps.machine.shell);
  // A copy exists as soon as it is written, a session of the agent's own only after its first answer.
  const made = way === 'turn' ? resultSessionId : null;
  const id = deps.journal.record({
    chosenAt: new Date(deps.machine.now()).toISOString(),
    query: request.query,
    rank: request.rank,
    sessionId: request.session.session_id,
    ...{ agent, way, turn, copiedBytes },
    resultSessionId: made,
  });
  return {
    ...fork,
    command: startLine(fork, deps.machine.shell),
    noteResult() {
      if (made !== null || resultSessionId === null) return;
      if (sourceOf(deps, agent).locate(resultSessionId) !== null) deps.journal.setResult(id, resultSessionId);
    },
    discard() {
      deps.journal.withdraw(id);
      fork.discard();
    },
  };
}

function unrecorded(fork: Omit<Start, 'copiedBytes'>, shell: Shell): ReadyFork {
  return { ...fork, command: startLine(fork, shell), noteResult: () => undefined };
}

async function startOf(deps: ForkDependencies, request: ForkRequest): Promise<Start> {
  const { session, inject, turn } = request;
  const agent = request.into ?? session.agent;
  if (agent !== session.agent) return injectContext(deps, request, otherAgent(session.agent, agent));
  if (inject) return injectContext(deps, request, AS_TEXT);
  const source = sourceOf(deps, agent);
  const start =
    turn === null ? await forkWhole(deps, request, source) : await forkTurn(deps, request, source, turn);
  return (
    start ??
    injectContext(deps, request, `The transcript is neither on this machine nor archived. ${AS_TEXT}`)
  );
}

const AS_TEXT = 'The fork gets its context as text, not the conversation itself.';

function otherAgent(from: Agent, to: Agent): string {
  const names = { claude: 'Claude Code', codex: 'Codex' };
  return `${names[to]} cannot read a session of ${names[from]}. ${AS_TEXT}`;
}

/** Null when the transcript is neither on this machine nor archived. */
async function forkWhole(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
): Promise<Start | null> {
  const { session, location } = request;
  const { transcript } = location;
  const directory = folderOf(request);
  if (transcript !== null) return forkNatively(deps, request, source, { ...location, transcript });
  if (!location.restorable) return null;
  if (request.writeNow) return restoreAndFork(deps, request, source);
  const name = nameHere(deps, session);
  return forkNatively(deps, request, source, {
    transcript: { sessionId: name, path: source.restorePath(name, directory) },
    directory,
    first: ['smart-fork', 'restore', session.session_id, '--to', directory],
  });
}

async function restoreAndFork(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
): Promise<Start | null> {
  const back = await restoreToFork(deps, request.session, folderOf(request));
  if (back?.location.transcript == null) return null;
  const { location, restored } = back;
  const start = forkNatively(deps, request, source, { ...location, transcript: back.location.transcript });
  return {
    ...start,
    notes: [...restoreNotes(restored), ...start.notes],
    discard() {
      if (restored.state === 'restored') deps.removeTranscript(restored.path);
    },
  };
}

function forkNatively(
  deps: ForkDependencies,
  { name, startNow }: ForkRequest,
  source: TranscriptSource,
  from: Pick<SessionLocation, 'directory' | 'first'> & {
    transcript: Pick<TranscriptFile, 'sessionId' | 'path'>;
  },
): Start {
  const { directory, first } = from;
  const sessionId = startNow && source.choosesIds ? deps.newId() : null;
  return {
    way: 'native',
    agent: source.agent,
    words: source.forkCommand(source.resumeTarget(from.transcript, directory), startOptions(name, sessionId)),
    directory,
    first,
    turn: null,
    resultSessionId: sessionId,
    notes: ignoredName(source, name),
    copiedBytes: null,
    discard: () => undefined,
  };
}

/** Writes at most the cut transcript: an archived original is read where it is. */
async function forkTurn(
  deps: ForkDependencies,
  request: ForkRequest,
  source: TranscriptSource,
  turn: number,
): Promise<Start | null> {
  const { session, location, name, writeNow } = request;
  const directory = folderOf(request);
  const cut = (transcript: TranscriptFile): Start => {
    const turns = countTurns(source, transcript, turn);
    if (!writeNow) return cutLater(request, source, turn, turns);
    const fork = forkAtTurn(source, {
      transcript,
      turn,
      workingDirectory: directory,
      sessionId: deps.newId(),
    });
    return {
      way: 'turn',
      agent: source.agent,
      words: source.resumeCommand(source.resumeTarget(fork, directory), startOptions(name, null)),
      directory,
      first: null,
      turn,
      resultSessionId: fork.sessionId,
      notes: [`A copy that ends with turn ${turn} of ${fork.turns}; the original stays as it is.`],
      copiedBytes: fork.bytes,
      discard: () => deps.removeTranscript(fork.path),
    };
  };
  if (location.transcript !== null) return cut(location.transcript);
  return borrowTranscript(deps, source, session, async (transcript) => cut(transcript));
}

/** The command makes the copy when it runs. */
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
    notes: [`The command makes a copy that ends with turn ${turn} of ${turns}; the original stays as it is.`],
    copiedBytes: null,
    discard: () => undefined,
  };
}

async function injectContext(deps: ForkDependencies, request: ForkRequest, note: string): Promise<Start> {
  const { session, location, query, name, turn, startNow } = request;
  if (turn !== null) {
    throw new SmartForkError('USAGE', '--at needs the transcript, and the agent that wrote it', {
      hint: 'Leave out --at: the context is limited to what fits and matches anyway.',
    });
  }
  const source = sourceOf(deps, request.into ?? session.agent);
  const retrieved = await retrieveSession(deps, {
    session,
    location,
    maxTokens: CONTEXT_TOKENS,
    ...(query !== null && { query }),
  });
  const path = deps.files.write(session.session_id, retrieved.markdown);
  const sessionId = startNow && source.choosesIds ? deps.newId() : null;
  return {
    way: 'inject',
    agent: source.agent,
    words: source.startCommand(
      promptToRead(source.fileReference(path), query),
      startOptions(name, sessionId),
    ),
    directory: folderOf(request),
    first: null,
    turn: null,
    resultSessionId: sessionId,
    notes: [note, ...ignoredName(source, name)],
    copiedBytes: null,
    discard: () => deps.files.remove(path),
  };
}

function folderOf({ location, currentDirectory }: ForkRequest): string {
  return location.directory ?? currentDirectory;
}

function startOptions(name: string | null, sessionId: string | null) {
  return { ...(name !== null && { name }), ...(sessionId !== null && { sessionId }) };
}

function ignoredName(source: TranscriptSource, name: string | null): string[] {
  return name === null || source.takesNames
    ? []
    : [`--name is ignored: ${source.agent} does not support it.`];
}

function sourceOf({ sources }: ForkDependencies, agent: Agent): TranscriptSource {
  const source = sources.find((one) => one.agent === agent);
  if (source === undefined) throw new SmartForkError('USAGE', `${agent} is not a known agent`);
  return source;
}

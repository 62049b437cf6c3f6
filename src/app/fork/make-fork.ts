import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { type Shell, startLine } from '../../domain/machine/shell.ts';
import { promptToRead } from '../../domain/own/own-output.ts';
import { cannotFork, cannotStart } from '../../domain/session/missing-parts.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { retrieveSession } from '../read/retrieve-session.ts';
import { restoreWords, type SessionLocation } from '../sessions/locate-session.ts';
import { commandsOf, nameHere } from '../sessions/name-here.ts';
import { forkInto } from './fork-into.ts';
import {
  type ForkDependencies,
  type ForkRequest,
  folderOf,
  type Start,
  startOptions,
} from './fork-request.ts';
import { forkTurn } from './fork-turn.ts';
import { restoreNotes, restoreToFork } from './prepare-fork.ts';

/** A fork that can be started. `discard` undoes everything done for it. */
export interface ReadyFork extends Omit<Start, 'copiedBytes'> {
  /** One shell line that does everything. */
  command: string;
  /** Adds the new session to the journal, if the agent has written one. */
  noteResult(): void;
}

const CONTEXT_TOKENS = 8000;

/**
 * Makes a fork: a native one if the agent can, otherwise one with the context as text. Writes only what the command needs, and
 * records the fork in the journal.
 * @throws SmartForkError USAGE, TRANSCRIPT_UNREADABLE, STORE_UNAVAILABLE
 */
export async function makeFork(deps: ForkDependencies, request: ForkRequest): Promise<ReadyFork> {
  const { copiedBytes, ...fork } = await startOf(deps, request);
  const { way, agent, turn, resultSessionId } = fork;
  // The command will record the fork when it runs.
  if (way === 'turn' && resultSessionId === null) return unrecorded(fork, deps.machine.shell);
  // A copy exists as soon as it is written; the agent's own fork only after its first answer.
  const made = way === 'turn' ? resultSessionId : null;
  // The query may be an error message that contains a key.
  const [query] = request.query === null ? [] : await deps.redactor.redact([{ text: request.query }]);
  const id = deps.journal.record({
    chosenAt: new Date(deps.machine.now()).toISOString(),
    query: query?.text ?? null,
    rank: request.rank,
    sessionId: request.session.session_id,
    agent,
    way,
    turn,
    copiedBytes,
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

type PlannedFork = Pick<
  ReadyFork,
  'way' | 'agent' | 'words' | 'directory' | 'first' | 'turn' | 'notes' | 'command'
>;

/** Plans how a fork would be started, without writing or recording anything. */
export async function planFork(
  deps: ForkDependencies,
  given: Omit<ForkRequest, 'startNow' | 'writeNow'>,
): Promise<PlannedFork> {
  const { session, location, inject, turn } = given;
  const request = { ...given, startNow: false, writeNow: false };
  checkAgent(deps, request);
  const asText = inject || (given.into ?? session.agent) !== session.agent || !location.canFork;
  const { way, agent, words, directory, first, notes, ...rest } =
    asText && turn === null ? contextLater(request) : await startOf(deps, request);
  const plan = { way, agent, words, directory, first, notes, turn: rest.turn };
  return { ...plan, command: startLine(plan, deps.machine.shell) };
}

/** The context is gathered when the command runs. */
function contextLater(request: ForkRequest): Omit<Start, 'copiedBytes' | 'discard' | 'resultSessionId'> {
  const { session, into } = request;
  const agent = into ?? session.agent;
  const words = ['smart-fork', 'fork', session.session_id, '--inject', '--into', agent, '--exec'];
  return {
    way: 'inject',
    agent,
    words,
    directory: folderOf(request),
    first: null,
    turn: null,
    notes: [AS_TEXT],
  };
}

function unrecorded(fork: Omit<Start, 'copiedBytes'>, shell: Shell): ReadyFork {
  return { ...fork, command: startLine(fork, shell), noteResult: () => undefined };
}

async function startOf(deps: ForkDependencies, request: ForkRequest): Promise<Start> {
  const { session, inject, turn } = request;
  const agent = request.into ?? session.agent;
  checkAgent(deps, request);
  if (inject) return injectContext(deps, request, AS_TEXT);
  if (agent !== session.agent) return forkAcross(deps, request, agent);
  const source = sourceOf(deps, agent);
  const start =
    turn === null ? await forkWhole(deps, request, source) : await forkTurn(deps, request, source, turn);
  return (
    start ??
    injectContext(deps, request, `The transcript is neither on this machine nor archived. ${AS_TEXT}`)
  );
}

/** @throws SmartForkError USAGE if the agent has no commands: the user must choose another way, which the hint names */
function checkAgent(deps: ForkDependencies, { session, into, inject }: ForkRequest): void {
  const { agent, commands } = sourceOf(deps, into ?? session.agent);
  if (commands !== undefined) return;
  throw agent === session.agent && !inject
    ? cannotFork(agent, session.session_id)
    : cannotStart(agent, session.session_id);
}

const AS_TEXT = 'The fork gets its context as text, not the conversation itself.';

async function forkAcross(deps: ForkDependencies, request: ForkRequest, agent: Agent): Promise<Start> {
  const { session, name, turn } = request;
  const to = sourceOf(deps, agent);
  const made = await forkInto(deps, request, sourceOf(deps, session.agent), to);
  if ('start' in made) {
    return { ...made.start, notes: [...made.start.notes, ...ignoredName(to, name)] };
  }
  const [reader, writer] = [AGENT_ROWS[agent].name, AGENT_ROWS[session.agent].name];
  const problem =
    made.reason === null
      ? `${reader} cannot read ${writer} sessions`
      : `${reader} cannot import this ${writer} session: ${made.reason}`;
  if (turn === null) return injectContext(deps, request, `${problem}. ${AS_TEXT}`);
  const note = `${problem}. The fork gets its context up to turn ${turn} as text, not the conversation itself.`;
  return { ...(await injectContext(deps, { ...request, turn: null }, note, turn)), turn };
}

/** Null if the transcript is neither on this machine nor archived. */
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
    transcript: { sessionId: name, path: source.bytes?.restorePath?.(name, directory) ?? '' },
    directory,
    first: restoreWords(session.session_id, directory),
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
  const commands = commandsOf(source, from.transcript.sessionId);
  const sessionId = startNow && commands.choosesIds ? deps.newId() : null;
  const target = commands.resumeTarget(from.transcript, directory);
  const words = commands.fork?.(target, startOptions(name, sessionId));
  if (words === undefined) throw cannotFork(source.agent, from.transcript.sessionId);
  return {
    way: 'native',
    agent: source.agent,
    words,
    directory,
    first,
    turn: null,
    resultSessionId: sessionId,
    notes: ignoredName(source, name),
    copiedBytes: null,
    discard: () => undefined,
  };
}

/** @param untilTurn the last turn of the context; null: all turns. */
async function injectContext(
  deps: ForkDependencies,
  request: ForkRequest,
  note: string,
  untilTurn: number | null = null,
): Promise<Start> {
  const { session, location, query, name, turn, startNow } = request;
  if (turn !== null) {
    throw new SmartForkError('USAGE', '--at needs the transcript, and the agent that wrote it', {
      hint: 'Leave out --at: the context has only matching passages anyway.',
    });
  }
  const source = sourceOf(deps, request.into ?? session.agent);
  const retrieved = await retrieveSession(deps, {
    session,
    location,
    maxTokens: CONTEXT_TOKENS,
    untilTurn: untilTurn ?? undefined,
    query: query ?? undefined,
  });
  const path = deps.files.write(session.session_id, retrieved.markdown);
  const commands = commandsOf(source, session.session_id);
  const sessionId = startNow && commands.choosesIds ? deps.newId() : null;
  return {
    way: 'inject',
    agent: source.agent,
    words: commands.start(promptToRead(commands.fileReference(path), query), startOptions(name, sessionId)),
    directory: folderOf(request),
    first: null,
    turn: null,
    resultSessionId: sessionId,
    notes: [note, ...ignoredName(source, name)],
    copiedBytes: null,
    discard: () => deps.files.remove(path),
  };
}

function ignoredName(source: TranscriptSource, name: string | null): string[] {
  return name === null || source.commands?.takesNames === true
    ? []
    : [`--name is ignored: ${source.agent} does not support it.`];
}

function sourceOf({ sources }: ForkDependencies, agent: Agent): TranscriptSource {
  const source = sources.find((one) => one.agent === agent);
  if (source === undefined) throw new SmartForkError('USAGE', `${agent} is not a known agent`);
  return source;
}

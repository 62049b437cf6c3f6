import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { startLine } from '../../domain/machine/shell.ts';
import { promptToRead } from '../../domain/own/own-output.ts';
import { cannotFork } from '../../domain/session/missing-parts.ts';
import type { ForkWay } from '../../ports/fork-journal.ts';
import { sourceOf } from '../archive/restore-session.ts';
import { commandsOf } from '../sessions/name-here.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import type { ForkPlan, ForkStep, TranscriptPlace } from './plan-fork.ts';

/** A fork that can be started. */
export interface ReadyFork {
  way: ForkWay;
  agent: Agent;
  words: string[];
  /** Where to start the agent. */
  directory: string;
  /** A command that must run first. */
  first: string[] | null;
  /** One shell line that does everything. */
  command: string;
  /** The last turn of the fork, from 1; null: the whole session. */
  turn: number | null;
  /** The new session's id, if known. */
  resultSessionId: string | null;
  /** Sentences for the user about differences from what was asked for. */
  notes: string[];
}

/** What an agent starts from: its own fork of a transcript, a session made for it, or a file with the context. */
type StartFrom = { fork: TranscriptPlace } | { session: TranscriptPlace } | { context: string };

/** The agent's command. @param sessionId the new session's id; null: the agent chooses it */
export function startWords(
  { sources }: Pick<ForkDependencies, 'sources'>,
  from: StartFrom,
  { session, agent, location: { directory }, name, query }: ForkRequest,
  sessionId: string | null = null,
): string[] {
  const source = sourceOf(sources, agent);
  const { inHome = () => [] } = source;
  const commands = commandsOf(source, session.session_id);
  const options = { name: name ?? undefined, sessionId: sessionId ?? undefined };
  if ('context' in from)
    return commands.start(promptToRead(commands.fileReference(from.context), query), options);
  if ('session' in from)
    return [
      ...inHome(from.session.path),
      ...commands.resume(commands.resumeTarget(from.session, directory), options),
    ];
  const words = commands.fork?.(commands.resumeTarget(from.fork, directory), options);
  if (words === undefined) throw cannotFork(agent, session.session_id);
  return [...inHome(from.fork.path), ...words];
}

export function readyFork(
  { machine }: Pick<ForkDependencies, 'machine'>,
  { request, way }: ForkPlan,
  made: Omit<ReadyFork, 'way' | 'agent' | 'directory' | 'command'>,
): ReadyFork {
  const { agent, location } = request;
  const start = { ...made, directory: location.directory };
  return { way, agent, ...start, command: startLine(start, machine.shell) };
}

const CARRIED =
  'Carried over: prompts, answers, and a line for each tool call. Left out: outputs of tools, images and thinking. Secrets are redacted.';

/** What the user should know about a session that a step makes: `now`, or `later`, when the printed command runs. */
export function stepNotes(step: ForkStep, agent: Agent, when: 'now' | 'later'): string[] {
  if (step.do === 'cut') {
    const what = when === 'now' ? 'A copy' : 'The command makes a copy';
    return [`${what} up to turn ${step.turn} of ${step.turns}; the original stays unchanged.`];
  }
  if (step.do !== 'import' && step.do !== 'convert') return [];
  const turns = step.do === 'import' ? step.prompts.length : step.turns;
  const name = AGENT_ROWS[agent].shortName;
  const what = when === 'now' ? `A session of ${name}` : `The command creates a session of ${name}`;
  const isWhole = step.turn === null || step.turn === turns;
  const whole = step.do === 'import' ? 'the whole conversation, as imported' : 'the whole conversation';
  const length = isWhole ? whole : `the turns up to ${step.turn} of ${turns}`;
  const note = `${what} with ${length}; the original stays unchanged.`;
  return step.do === 'import' ? [note] : [note, CARRIED];
}

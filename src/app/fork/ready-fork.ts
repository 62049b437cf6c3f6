import type { Agent } from '../../domain/agent/agents.ts';
import { startLine } from '../../domain/machine/shell.ts';
import { promptToRead } from '../../domain/own/own-output.ts';
import type { ForkWay } from '../../ports/fork-journal.ts';
import { sourceOf } from '../archive/restore-session.ts';
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
export type StartFrom = { fork: TranscriptPlace } | { session: TranscriptPlace } | { context: string };

/** The agent's command. @param sessionId the new session's id; null: the agent chooses it */
export function startWords(
  { sources }: Pick<ForkDependencies, 'sources'>,
  from: StartFrom,
  { agent, location: { directory }, name, query }: ForkRequest,
  sessionId: string | null = null,
): string[] {
  const source = sourceOf(sources, agent);
  const options = { name: name ?? undefined, sessionId: sessionId ?? undefined };
  if ('fork' in from) return source.forkCommand(source.resumeTarget(from.fork, directory), options);
  if ('session' in from) return source.resumeCommand(source.resumeTarget(from.session, directory), options);
  return source.startCommand(promptToRead(source.fileReference(from.context), query), options);
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

/** What the user should know about a session that a step makes: `now`, or `later`, when the printed command runs. */
export function stepNotes(step: ForkStep, agent: Agent, when: 'now' | 'later'): string[] {
  if (step.do === 'cut') {
    const what = when === 'now' ? 'A copy' : 'The command makes a copy';
    return [`${what} up to turn ${step.turn} of ${step.turns}; the original stays unchanged.`];
  }
  if (step.do !== 'import') return [];
  const turns = step.prompts.length;
  const what = when === 'now' ? `A ${agent} session` : `The command creates a ${agent} session`;
  const isWhole = step.turn === null || step.turn === turns;
  const length = isWhole ? 'the whole conversation, as imported' : `the turns up to ${step.turn} of ${turns}`;
  return [`${what} with ${length}; the original stays unchanged.`];
}

import { promptToRead } from '../../domain/own/own-output.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import type { ForkPlan, ForkStep, TranscriptPlace } from './plan-fork.ts';

/** What an agent starts from: its own fork of a transcript, a session made for it, or a file with the context. */
export type StartFrom = { fork: TranscriptPlace } | { session: TranscriptPlace } | { context: string };

/** The agent's command. @param sessionId the new session's id; null: the agent chooses it */
export function startWords(
  source: TranscriptSource,
  from: StartFrom,
  { request, directory }: ForkPlan,
  sessionId: string | null = null,
): string[] {
  const options = { name: request.name ?? undefined, sessionId: sessionId ?? undefined };
  if ('fork' in from) return source.forkCommand(source.resumeTarget(from.fork, directory), options);
  if ('session' in from) return source.resumeCommand(source.resumeTarget(from.session, directory), options);
  return source.startCommand(promptToRead(source.fileReference(from.context), request.query), options);
}

/** What the user should know about a session that a step makes: `now`, or `later`, when the printed command runs. */
export function stepNotes(step: ForkStep, agent: string, when: 'now' | 'later'): string[] {
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

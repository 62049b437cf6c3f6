import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { agentMissing } from '../../domain/agent/missing-program.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { cannotAsk } from '../../domain/session/missing-parts.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { thousands } from '../../domain/text/tokens.ts';
import type { RunAgent } from '../../ports/agent/run-agent.ts';
import type { FindAgentProgram } from '../../ports/agent-settings.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { ContextSize, TranscriptSource } from '../../ports/transcript-source.ts';
import { sourceOf } from '../archive/restore-session.ts';
import { contextSize } from '../sessions/context-size.ts';
import { userPrompts } from '../sessions/read-conversation.ts';
import { partUntil } from '../sessions/session-part.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import { planFork } from './plan-fork.ts';
import { runPlan } from './run-plan.ts';

export interface AskDependencies extends ForkDependencies {
  store: PointStore;
  runAgent: RunAgent;
  findProgram: FindAgentProgram;
}

interface AskOptions {
  question: string;
  /** Called once, before anything is sent. */
  onCost(text: string): void;
  signal?: AbortSignal | undefined;
}

/**
 * Forks a session, asks the fork one question without a terminal, and deletes the fork.
 * @returns the answer, in the agent's words, and what it cost
 * @throws SmartForkError AGENT_MISSING; USAGE if the agent cannot do that, or does not answer, for example without a login
 */
export async function askSession(
  deps: AskDependencies,
  request: ForkRequest,
  { question, onCost, signal }: AskOptions,
): Promise<{ answer: string; turn: number; cost: string }> {
  const { session, agent } = request;
  const { transcript } = request.location;
  const source = sourceOf(deps.sources, agent);
  const { commands } = source;
  if (commands?.ask === undefined) throw cannotAsk(agent, session.session_id);
  if (transcript === null)
    throw new SmartForkError('USAGE', 'its transcript is not on this machine', {
      hint: `If it is archived: smart-fork restore ${idToType(session.session_id)}`,
    });
  const turn = request.turn ?? userPrompts(source, transcript).length;
  const plan = await planFork(deps, { ...request, turn });
  const { program } = AGENT_ROWS[agent];
  if (program !== null && (await deps.findProgram(program.command)) === null) throw agentMissing(program);
  const part = request.turn === null ? null : partUntil(source, transcript, request.turn);
  const cost = costText(agent, contextSize(source, request.session, transcript, part));
  onCost(cost);
  const work = async ({
    resultSessionId,
    directory,
  }: {
    resultSessionId: string | null;
    directory: string;
  }) => {
    const path = resultSessionId === null ? null : source.locate(resultSessionId);
    if (path === null || resultSessionId === null)
      throw new SmartForkError('TRANSCRIPT_UNREADABLE', 'the fork is not where the agent looks');
    const target = commands.resumeTarget({ sessionId: resultSessionId, path }, directory);
    // An agent would take it as an option.
    const asked = question.startsWith('-') ? ` ${question}` : question;
    const words = [...(source.inHome?.(path) ?? []), ...(commands.ask?.(target, asked) ?? [])];
    try {
      return await deps.runAgent({ words, directory, signal });
    } finally {
      removeAll(deps, source, resultSessionId);
      // A server that watches the folder may have indexed it meanwhile.
      await deps.store.deleteSessions([resultSessionId]);
    }
  };
  const run = await runPlan(deps, plan, work, { leavesNothing: true, signal });
  const answer = run.output.trim();
  if (run.exitCode !== 0 || answer === '') throw noAnswer(agent, run);
  return { answer, turn, cost };
}

/** Some agents begin another file of the session that they resume. A session in a database is left to the agent's program. */
function removeAll({ removeTranscript }: AskDependencies, source: TranscriptSource, sessionId: string): void {
  for (let last = '', path = source.locate(sessionId); path !== null && path !== last; ) {
    removeTranscript(path);
    last = path;
    path = source.locate(sessionId);
  }
}

function costText(agent: Agent, size: ContextSize | null): string {
  const about = size === null ? 'its whole context' : `about ${thousands(size.tokens)} tokens of context`;
  return `${AGENT_ROWS[agent].name} sends ${about} to its model: they count like a prompt of yours. It gets no permission to change files.`;
}

function noAnswer(agent: keyof typeof AGENT_ROWS, run: { output: string; errors: string }): SmartForkError {
  const { name, program } = AGENT_ROWS[agent];
  const said = `${run.output}\n${run.errors}`.trim().split('\n').slice(-LAST_LINES).join('\n');
  const hint = `Start ${program?.command ?? name} once, and log in.`;
  if (LOGIN.test(`${run.errors}\n${isNotice(run.output) ? run.output : ''}`))
    return new SmartForkError('USAGE', `${name} is not logged in: ${said}`, { hint });
  return new SmartForkError('USAGE', `${name} gave no answer${said === '' ? '' : `: ${said}`}`);
}

/** Claude Code prints its notice where the answer belongs: a single line. */
function isNotice(output: string): boolean {
  return !output.trim().includes('\n');
}

const LAST_LINES = 6;
const LOGIN =
  /\b(?:log(?:ged)? ?in|api key|unauthori[sz]ed|not authenticated|authentication|credentials?)\b/i;

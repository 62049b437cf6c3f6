import { SmartForkError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/text/tokens.ts';
import type { ContextSize } from '../../ports/transcript-source.ts';
import { sourceOf } from '../archive/restore-session.ts';
import { partUntil } from '../sessions/session-part.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import { canReceive, readAsText, readForOther, whyNotImport } from './other-agent.ts';

type Request = Omit<ForkRequest, 'rank' | 'name'>;

/**
 * The estimated size of a fork that gets the conversation, or its context, as text. Null for an agent's own fork: it sends what the
 * session sent.
 */
export async function textSize(deps: ForkDependencies, request: Request): Promise<ContextSize | null> {
  const { session, location, agent, inject } = request;
  const { transcript, restorable } = location;
  const isOther = agent !== session.agent || transcript?.unopenable === true;
  if (!inject && !isOther && (transcript !== null || restorable)) return null;
  try {
    const isGiven = isOther && !inject && canReceive(deps, agent);
    const messages = isGiven ? await readForOther(deps, request) : null;
    const texts =
      messages === null
        ? [(await readAsText(deps, request)).markdown]
        : [...messages.map(({ text }) => text), ...outputsToImport(deps, request)];
    return { tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), window: null };
  } catch (error) {
    // The step that reads it reports the reason.
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

/** The outputs of tools, if the agent itself imports the transcript. */
function outputsToImport(deps: ForkDependencies, request: Request): string[] {
  const { session, agent, location, turn } = request;
  const imports = deps.threads[agent]?.imports;
  if (imports === undefined || location.transcript === null) return [];
  if (whyNotImport(deps, request, imports) !== null) return [];
  const source = sourceOf(deps.sources, session.agent);
  const { path, end } = partUntil(source, location.transcript, turn ?? Number.POSITIVE_INFINITY);
  const outputs: string[] = [];
  source.readSteps(path, { from: 0, to: end ?? Number.POSITIVE_INFINITY }, (step) => {
    if (step.kind === 'result') outputs.push(step.output.slice(0, imports.outputLength));
  });
  return outputs;
}

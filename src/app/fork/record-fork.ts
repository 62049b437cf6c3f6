import type { ForkChoice } from '../../ports/fork-journal.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import type { ReadyFork } from './ready-fork.ts';

/**
 * Records a fork in the journal. A session that smart-fork makes is known at once; the agent's own fork only after its first answer.
 * @param how `copiedBytes`: the size of the session made; null if none was
 * @returns the record's id
 */
export async function recordFork(
  { journal, machine, redactor }: Pick<ForkDependencies, 'journal' | 'machine' | 'redactor'>,
  { session, query, rank }: ForkRequest,
  { agent, way, turn, resultSessionId }: Pick<ReadyFork, 'agent' | 'way' | 'turn' | 'resultSessionId'>,
  how: Pick<ForkChoice, 'copiedBytes' | 'printed'>,
): Promise<number> {
  // The query may be an error message that contains a key.
  const [redacted] = query === null ? [] : await redactor.redact([{ text: query }]);
  return journal.record({
    chosenAt: new Date(machine.now()).toISOString(),
    query: redacted?.text ?? null,
    rank,
    sessionId: session.session_id,
    agent,
    way,
    turn,
    ...how,
    resultSessionId: way === 'turn' ? resultSessionId : null,
  });
}

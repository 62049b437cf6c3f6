import { forkWords } from '../../domain/session/fork-words.ts';
import type { ForkChoice } from '../../ports/fork-journal.ts';
import { count } from '../fields.ts';
import { operation } from '../operation.ts';

export const history = operation({
  summary: 'list what you forked on this machine, newest first',
  effect: 'reads',
  fields: { limit: count({ about: 'maximum number of forks', max: 1000, default: 20, alias: 'n' }) },
  async run(open, { limit }) {
    const store = await open.store();
    const { journal } = await open.fork();
    const choices = journal.list(limit);
    const both = choices.flatMap(({ sessionId, resultSessionId }) => [sessionId, resultSessionId]);
    const ids = [...new Set(both)].filter((id) => id !== null);
    const titles = new Map(
      (ids.length === 0 ? [] : await store.getSessions(ids)).map(({ session_id, title }) => [
        session_id,
        title,
      ]),
    );
    const forks = choices.map((choice) => ({
      chosen_at: choice.chosenAt,
      session_id: choice.sessionId,
      title: titles.get(choice.sessionId) ?? null,
      query: choice.query,
      rank: choice.rank,
      agent: choice.agent,
      ...howOf(choice),
      result_session_id: choice.resultSessionId,
      result_indexed: titles.has(choice.resultSessionId ?? ''),
    }));
    return { forks };
  },
  isEmpty: ({ forks }) => forks.length === 0,
  mayLack: () => false,
});

function howOf({ way, turn, printed, resultSessionId }: ForkChoice) {
  const how = { way, printed: printed && resultSessionId === null, turn };
  return { ...how, text: forkWords({ ...how, result_session_id: resultSessionId }) };
}

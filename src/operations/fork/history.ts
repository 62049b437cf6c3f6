import { getSession } from '../../app/sessions/get-session.ts';
import { count } from '../fields.ts';
import { operation } from '../operation.ts';

export const history = operation({
  summary: 'list what you forked on this machine, newest first',
  effect: 'reads',
  fields: { limit: count({ about: 'maximum number of forks', max: 1000, default: 20, alias: 'n' }) },
  async run(open, { limit }) {
    const store = await open.store();
    const { journal } = await open.fork();
    const forks = journal.list(limit).map(async (choice) => ({
      chosen_at: choice.chosenAt,
      session_id: choice.sessionId,
      title: (await getSession(store, choice.sessionId))?.title ?? null,
      query: choice.query,
      rank: choice.rank,
      agent: choice.agent,
      way: choice.way,
      printed: choice.printed && choice.resultSessionId === null,
      turn: choice.turn,
      result_session_id: choice.resultSessionId,
    }));
    return { forks: await Promise.all(forks) };
  },
  isEmpty: ({ forks }) => forks.length === 0,
});

import { expect, it } from 'vitest';
import { history } from '../../../src/operations/fork/history.ts';

it('asks for the titles of all forked sessions at once', async () => {
  const asked: string[][] = [];
  const getSessions = async (ids: string[]) => {
    asked.push(ids);
    return [{ session_id: 'one', title: 'Cards' }];
  };
  const list = () => ['one', 'two', 'one'].map((sessionId) => ({ sessionId, resultSessionId: null }));
  const open = { store: async () => ({ getSessions }), fork: async () => ({ journal: { list } }) };
  const { forks } = await history.run(open as never, { limit: 3 }, {} as never);
  expect(forks.map(({ title }) => title)).toEqual(['Cards', null, 'Cards']);
  expect(asked).toEqual([['one', 'two']]);
});

import { expect, it } from 'vitest';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { tokenStatistics } from '../../support/stores/ask-store.ts';
import { changeOf } from '../../support/transcripts/sample-sessions.ts';

const setUp = useDoubles();

it('counts the sessions that contain a word up to a thousand, and the chunks up to a hundred', async () => {
  const { double, store } = await setUp();
  const words = (at: number) => [
    'piston',
    ...(at < 300 ? ['valve valve'] : []),
    ...(at < 70 ? ['crank'] : []),
  ];
  await store.write(
    Array.from({ length: 400 }, (_, at) => changeOf({ id: `s${at}`, chunks: [words(at).join(' ')] })),
  );
  const tokens = ['piston', 'valve', 'crank', 'sump'];
  const from = double.requests.length;
  const { sessionsWith, chunksWith } = await tokenStatistics(store, tokens);
  expect(tokens.map((token) => sessionsWith.get(token))).toEqual([400, 300, 70, 0]);
  expect(tokens.map((token) => chunksWith.get(token))).toEqual([100, 100, 70, 0]);
  // Two searches, each a batch; the first counts as well.
  expect(double.requests).toHaveLength(from + 3);
});

import { expect, it } from 'vitest';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { changeOf } from '../../support/transcripts/sample-sessions.ts';

const setUp = useDoubles();

it('estimates how many sessions hold a word that most of them do, and counts the others', async () => {
  const { store } = await setUp();
  const words = (at: number) => [
    'piston',
    ...(at < 300 ? ['valve valve'] : []),
    ...(at < 150 ? ['crank'] : []),
  ];
  await store.write(
    Array.from({ length: 400 }, (_, at) => changeOf({ id: `s${at}`, chunks: [words(at).join(' ')] })),
  );
  const tokens = ['piston', 'valve', 'crank'];
  const { sessionsWith } = await store.tokenStatistics(tokens, 'sessions');
  const [piston = 0, valve = 0, crank = 0] = tokens.map((token) => sessionsWith.get(token));
  expect(crank).toBe(150);
  expect(valve).toBeGreaterThanOrEqual(200);
  expect(valve).toBeLessThanOrEqual(400);
  expect(piston).toBeGreaterThanOrEqual(valve);
  expect(piston).toBeLessThanOrEqual(400);
});

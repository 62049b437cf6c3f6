import { describe, expect, it } from 'vitest';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import type { Hit } from '../../../src/domain/search/search.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { embedAll, listsOf } from '../../contract/point-store/use-store.ts';
import { qdrantOptions, useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { pick, seededRandom } from '../../support/random.ts';
import { scoreChunks, searchLists, tokenStatistics } from '../../support/stores/ask-store.ts';
import { changeOf, type Sample, tokensOf, vectorOf } from '../../support/transcripts/sample-sessions.ts';
import { openSealedQdrant } from './places.ts';

const LIMITS = { sessions: 40, chunks: 60, intents: 40 };
const WORDS =
  'piston valves cranking gaskets torque camShaft bearing_cap manifold sump flywheel Überholung 数据库迁移'.split(
    ' ',
  );

const random = seededRandom(20_260);
const text = () =>
  Array.from({ length: 5 + random(40) }, () =>
    random(3) === 0 ? pick(random, WORDS) : `filler${random(60)}`,
  ).join(' ');
const SAMPLES = Array.from(
  { length: 60 },
  (_, index): Sample => ({
    id: `session-${index}`,
    chunks: Array.from({ length: 1 + random(4) }, text),
    intents: [text()],
    record: { branch: index % 3 === 0 ? 'main' : 'next', repo_name: index % 2 === 0 ? 'Engine' : 'gears' },
  }),
);
const QUERIES = [
  'piston',
  'cranking torque manifold',
  'camshaft bearing cap filler3',
  'überholung',
  '数据库迁移 sump',
  text(),
];

async function answers(store: PointStore): Promise<unknown[]> {
  await store.write(SAMPLES.map((sample) => changeOf(sample)));
  await embedAll(store);
  const found: unknown[] = [];
  for (const query of QUERIES) {
    for (const filter of [{}, { branch: 'main' }, { repo: { repo_name: 'engine' } }]) {
      const tokens = tokensOf(query);
      const lists = await searchLists(store, { tokens, vector: vectorOf(query), filter, limits: LIMITS });
      found.push(listsOf(lists).map((hits) => hits?.map(rounded)));
    }
    found.push(await tokenStatistics(store, tokensOf(query)));
  }
  found.push((await scoreChunks(store, ['session-3', 'session-8'], vectorOf('x'))).map(rounded));
  return found;
}

function rounded({ score, ...hit }: Hit): Hit {
  return { ...hit, score: Number(score.toPrecision(9)) };
}

const setUp = useDoubles();

describe('the ranking of a sealed store', { timeout: 30_000 }, () => {
  it('ranks in a sealed Qdrant store as in a plain one', async () => {
    const { store: plain } = await setUp();
    const { double } = await setUp();
    const sealed = openSealedQdrant(double.url);
    const expected = await answers(plain);
    expect(expected.length).toBeGreaterThan(20);
    expect(await answers(sealed)).toEqual(expected);
    await sealed.close();
    const other = openQdrantPointStore(qdrantOptions(double.url));
    await expect(other.count()).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    await other.close();
  });
});

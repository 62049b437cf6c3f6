import { expect, it } from 'vitest';
import type { Presented } from '../../../../src/app/search/present-result.ts';
import {
  type ChosenResults,
  chooseResults,
  fetchFirst,
} from '../../../../src/app/search/results/choose-results.ts';
import type { SessionPayload } from '../../../../src/domain/point/point.ts';
import { createLexicalTokenizer } from '../../../../src/domain/search/lexical.ts';
import type { RankedByPhrasings } from '../../../../src/domain/search/phrasings.ts';
import type { PointStore } from '../../../../src/ports/point-store.ts';
import { sessionPayload } from '../../../support/transcripts/sample-sessions.ts';

interface Result {
  id: string;
  score: number;
  found_by?: string;
  record?: Partial<SessionPayload>;
}

const MATCHING = { title: 'Retry with backoff' };

it('has the same first result with any limit when the preferred repository changes the order further down', async () => {
  const results = [
    { id: 'best', score: 1 },
    { id: 'titled', score: 0.99, record: MATCHING },
    { id: 'elsewhere', score: 0.9 },
    { id: 'preferred', score: 0.88, record: { repo_name: 'web-shop' } },
  ];
  expect(await choose(results, 1)).toEqual(['best']);
  expect(await choose(results, 3)).toEqual(['best', 'titled', 'preferred']);
});

it('has the same first result with any limit when many forks of one session come first', async () => {
  const parent = { session_id: 'best' } as SessionPayload['parent'];
  const forks = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, score: 1, record: { parent } }));
  const results = [...forks, { id: 'titled', score: 0.99, record: MATCHING }];
  expect(await choose(results, 1)).toEqual(['titled']);
  expect(await choose(results, 5)).toEqual(['titled', 'a']);
});

it('is as certain of a session that the query names with any limit', async () => {
  const results = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, score: 1, found_by: 'file index.ts' }));
  for (const limit of [1, 5, 6])
    expect((await decide(results, limit)).judged.get('a')?.certainty).toBe(1 / 6);
});

it('asks for the passages along with the records that a preferred repository needs, and again only for those that come up', async () => {
  const results = Array.from({ length: 12 }, (_, at) => ({ id: `s${at}`, score: 1 - at / 1000 }));
  const asked: string[][] = [];
  const answer = async (ids: string[]) => {
    asked.push(ids);
    // An answer takes until everything that was asked at the same time is asked.
    await new Promise((resolve) => setImmediate(resolve));
    asked.push([]);
  };
  const fetch = async (preferred: string) => {
    asked.length = 0;
    const store = {
      getSessions: async (ids: string[]) => {
        await answer(ids);
        return ids.map((id) =>
          sessionPayload({ id, record: { repo_name: id === preferred ? 'web-shop' : 'x' } }),
        );
      },
      getPoints: async (ids: string[]) => {
        await answer(ids);
        return ids.map((id) => ({ id, payload: { type: 'chunk', content: id } }));
      },
    } as unknown as PointStore;
    const repository = { repo_name: 'web-shop' };
    const { shown } = await fetchFirst(store, results.map(presented), {
      limit: 5,
      repository,
      reranker: null,
    });
    return [...shown.points.keys()].includes(preferred);
  };
  const all = results.map(({ id }) => id);
  expect(await fetch('s3')).toBe(true);
  expect(asked).toEqual([all, all.slice(0, 10), [], []]);
  expect(await fetch('s11')).toBe(true);
  expect(asked).toEqual([all, all.slice(0, 10), [], [], ['s11'], []]);
});

async function choose(results: Result[], limit: number): Promise<string[]> {
  return (await decide(results, limit)).wanted.map(({ session_id }) => session_id);
}

/** The first results of a search for "retry backoff" that prefers the repository web-shop. */
async function decide(results: Result[], limit: number): Promise<ChosenResults> {
  const ranked = results.map(presented);
  const passage = { type: 'chunk', content: 'the client retries with backoff' };
  const store = {
    getSessions: async () => results.map(({ id, record = {} }) => sessionPayload({ id, record })),
    getPoints: async () => results.map(({ id }) => ({ id, payload: passage })),
  } as unknown as PointStore;
  const shared = { limit, reranker: null };
  const repository = { repo_name: 'web-shop' };
  const first = await fetchFirst(store, ranked, { ...shared, repository });
  const amongAll = ranked.map((one) => ({
    ...one,
    similarity: one.score,
  })) as unknown as RankedByPhrasings[];
  const stems = [
    new Map([
      ['~retri', 1],
      ['~backoff', 1],
    ]),
  ];
  return chooseResults(createLexicalTokenizer(), { amongAll, prd: false }, first, {
    ...shared,
    query: 'retry backoff',
    stems,
    minScore: 0,
  });
}

function presented({ id, score, found_by }: Result): Presented {
  const hit = { session_id: id, point_id: id, score, ended_at: null };
  const best = { chunkByWords: hit, chunkByVector: null, intent: null };
  const scores = { parts: {}, weights: {} };
  return { session_id: id, score, best, scores, found_by: found_by || undefined };
}

import { describe, expect, it } from 'vitest';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { Hit } from '../../../src/domain/search/search.ts';
import type { FindQuery } from '../../../src/ports/point-store.ts';
import { scoreChunks, searchLists } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  type Sample,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { bm25Scores, type Scored } from './reference-bm25.ts';
import { embedAll, listsOf, type MakePlace, useFilledStore, useStore } from './use-store.ts';

const LIMITS = { sessions: 50, chunks: 50, intents: 50 };
const words = (text: string): FindQuery => ({
  tokens: tokensOf(text),
  vector: null,
  filter: {},
  limits: LIMITS,
});

export interface AverageLengths {
  session: number;
  chunk: number;
}

export interface Statistics {
  averages?: AverageLengths;
  /** Every part of the store has its own inverse document frequencies, which differ for few documents. */
  byShard?: boolean;
}

/** Texts of different lengths with few words, so that frequency, rarity and length all count. */
const VOCABULARY = [
  'piston',
  'valve',
  'crank',
  'gasket',
  'torque',
  'camshaft',
  'bearing',
  'manifold',
  'sump',
  'flywheel',
];
const SAMPLES: Sample[] = Array.from({ length: 24 }, (_, session) => ({
  id: `s${String(session).padStart(2, '0')}`,
  chunks: Array.from({ length: 1 + (session % 3) }, (_, chunk) => textFor(session * 7 + chunk * 3)),
  intents: [`please look at ${textFor(session)}`],
  record: { ended_at: `2026-05-${String(1 + session).padStart(2, '0')}T10:00:00.000Z` },
}));

function textFor(seed: number): string {
  const length = 8 + ((seed * 5) % 17);
  return Array.from({ length }, (_, at) =>
    (seed + at * at) % 4 === 0
      ? VOCABULARY[(seed * 3 + at) % VOCABULARY.length]
      : `filler${(seed * 13 + at * 7) % 90}`,
  ).join(' ');
}

/** @param averages tokens per average session and chunk, for stores that rank with constants. */
export function describeSearch(make: MakePlace, { averages, byShard = false }: Statistics = {}): void {
  describe('searching', () => {
    const store = useFilledStore(make, SAMPLES);

    it('falls back to keywords for a query text that it cannot embed', async () => {
      const text = { text: 'gasket' };
      const lists = await searchLists(store(), { ...words('gasket'), vector: text });
      expect(lists).toEqual(await searchLists(store(), words('gasket')));
      expect(lists.chunksByVector).toBeNull();
      expect(await scoreChunks(store(), ['s00'], text)).toEqual([]);
    });

    it.skipIf(byShard)('ranks sessions and chunks by BM25', async () => {
      const changes = SAMPLES.map((sample) => changeOf(sample));
      const sessions = changes.map(({ session, tokens }) => ({
        id: session.payload.session_id,
        tokens: tokens ?? '',
      }));
      const chunks = changes.flatMap(({ upserts }) =>
        upserts.flatMap(({ point, tokens }) => (tokens === null ? [] : [{ id: point.id, tokens }])),
      );
      for (const query of ['gasket', 'piston torque', 'filler20 manifold filler33', 'flywheel filler7']) {
        const lists = await searchLists(store(), words(query));
        expectOrder(
          idsIn(lists.sessionsByWords, 'session_id'),
          bm25Scores(sessions, tokensOf(query), averages?.session),
        );
        expectOrder(
          idsIn(lists.chunksByWords, 'point_id'),
          bm25Scores(chunks, tokensOf(query), averages?.chunk),
        );
      }
    });

    it('returns lists with falling scores, each point once, with its session and the session’s end', async () => {
      const lists = await searchLists(store(), { ...words('piston valve'), vector: vectorOf('piston') });
      for (const hits of listsOf(lists)) {
        expect(hits?.length).toBeGreaterThan(2);
        expectFalling(hits ?? []);
        expect(new Set(hits?.map(({ session_id, point_id }) => `${session_id} ${point_id}`)).size).toBe(
          hits?.length,
        );
        for (const { session_id, ended_at } of hits ?? []) {
          expect(ended_at).toBe(SAMPLES.find(({ id }) => id === session_id)?.record?.ended_at);
        }
      }
      expect(lists.sessionsByWords?.every(({ point_id, score }) => point_id === '' && score > 0)).toBe(true);
      expect(
        lists.chunksByWords?.every(({ session_id, point_id }) =>
          idsOf(session_id, 'chunk').includes(point_id),
        ),
      ).toBe(true);
      expect(
        lists.intentsByVector?.every(({ session_id, point_id }) =>
          idsOf(session_id, 'intent').includes(point_id),
        ),
      ).toBe(true);
    });

    it('returns separate lists for further phrasings', async () => {
      const ways = [
        { tokens: tokensOf('piston valve'), vector: vectorOf('piston') },
        { tokens: tokensOf('gasket'), vector: vectorOf('sump') },
        { tokens: tokensOf('xylophone'), vector: null },
      ] as const;
      const alone = await Promise.all(ways.map((way) => searchLists(store(), { ...words(''), ...way })));
      const [query, ...also] = ways;
      const found = await store().find({ ...words(''), ...query, also });
      expect([found.lists, ...found.also]).toEqual(alone);
    });

    it('finds the same chunks if only chunks are wanted', async () => {
      const query = { ...words('piston valve'), vector: vectorOf('piston') };
      const { chunksByWords, chunksByVector } = await searchLists(store(), query);
      const lists = await searchLists(store(), { ...query, chunksOnly: true });
      expect(lists).toMatchObject({ chunksByWords, chunksByVector });
    });

    it('returns the best hits within the limits', async () => {
      const query = { ...words('piston valve'), vector: vectorOf('piston') };
      const whole = await searchLists(store(), query);
      const few = await searchLists(store(), { ...query, limits: { sessions: 2, chunks: 3, intents: 1 } });
      expect(few.sessionsByWords).toEqual(whole.sessionsByWords?.slice(0, 2));
      expect(few.chunksByWords).toEqual(whole.chunksByWords?.slice(0, 3));
      expect(few.chunksByVector).toEqual(whole.chunksByVector?.slice(0, 3));
      expect(few.intentsByVector).toEqual(whole.intentsByVector?.slice(0, 1));
    });

    it('returns null for lists that were not requested', async () => {
      const byWords = await searchLists(store(), words('piston'));
      expect(byWords.chunksByVector).toBeNull();
      expect(byWords.intentsByVector).toBeNull();
      const byVector = await searchLists(store(), { ...words(''), tokens: null, vector: vectorOf('x') });
      expect(byVector.sessionsByWords).toBeNull();
      expect(byVector.chunksByWords).toBeNull();
      expect(byVector.chunksByVector?.length).toBeGreaterThan(0);
      const nothing = await searchLists(store(), { ...words(''), tokens: null });
      expect(Object.values(nothing)).toEqual([null, null, null, null]);
    });

    it('finds nothing without tokens, and nothing for unknown words', async () => {
      expect(await searchLists(store(), { ...words(''), tokens: [] })).toMatchObject({
        sessionsByWords: [],
        chunksByWords: [],
      });
      expect(await searchLists(store(), words('xylophone'))).toMatchObject({
        sessionsByWords: [],
        chunksByWords: [],
      });
    });

    it('scores vectors by their cosine', async () => {
      const vector = vectorOf('a question');
      const lists = await searchLists(store(), { ...words(''), tokens: null, vector });
      const chunks = changesOf('chunk');
      expect(lists.chunksByVector).toHaveLength(chunks.length);
      for (const { point_id, score } of lists.chunksByVector ?? []) {
        expect(score).toBeCloseTo(
          cosine(vector, vectorOf(chunks.find(({ id }) => id === point_id)?.text ?? '')),
          2,
        );
      }
      expect(lists.intentsByVector).toHaveLength(changesOf('intent').length);
    });

    it('scores every chunk of given sessions', async () => {
      const vector = vectorOf('a question');
      const hits = await scoreChunks(store(), ['s02', 's05', 'nobody'], vector);
      expect(hits.map(({ point_id }) => point_id).sort()).toEqual(
        [...idsOf('s02', 'chunk'), ...idsOf('s05', 'chunk')].sort(),
      );
      for (const { point_id, score, session_id, ended_at } of hits) {
        const text = changesOf('chunk').find(({ id }) => id === point_id)?.text ?? '';
        expect(score).toBeCloseTo(cosine(vector, vectorOf(text)), 2);
        expect(ended_at).toBe(SAMPLES.find(({ id }) => id === session_id)?.record?.ended_at);
      }
      expect(await scoreChunks(store(), [], vector)).toEqual([]);
    });
  });

  describe('searching a store that grows', () => {
    const store = useStore(make);

    it('finds nothing in an empty store', async () => {
      const lists = await searchLists(store(), { ...words('piston'), vector: vectorOf('piston') });
      expect(lists).toEqual({
        sessionsByWords: [],
        chunksByWords: [],
        chunksByVector: [],
        intentsByVector: [],
      });
      expect(await scoreChunks(store(), ['s'], vectorOf('x'))).toEqual([]);
    });

    it.skipIf(byShard)('orders equal keyword scores by id', async () => {
      const lists = await listsOfEqual();
      expect(lists.sessionsByWords?.map(({ session_id }) => session_id)).toEqual(['a', 'b', 'c', 'd']);
      expect(lists.chunksByWords?.map(({ point_id }) => point_id)).toEqual(equalChunks());
    });

    it('orders equal vector scores by id', async () => {
      const lists = await listsOfEqual();
      expect(lists.chunksByVector?.map(({ point_id }) => point_id)).toEqual(equalChunks());
    });

    const equalChunks = () => ['a', 'b', 'c', 'd'].map((id) => pointId(id, 'chunk', 0)).sort();
    async function listsOfEqual() {
      await store().write(
        ['c', 'a', 'd', 'b'].map((id) => changeOf({ id, chunks: ['same words here'], intents: ['same'] })),
      );
      await embedAll(store());
      return searchLists(store(), { ...words('same words'), vector: vectorOf('q') });
    }

    it('finds a session’s new words in its chunks at once, and in the session once its tokens are written', async () => {
      const before: Sample = { id: 's', chunks: ['first words', 'second'] };
      const after: Sample = { id: 's', chunks: ['first words', 'second thoughts', 'third'] };
      await store().write([changeOf(before), changeOf({ id: 'other', chunks: ['elsewhere'] })]);
      await store().write([growth(before, after)]);
      expect(
        (await searchLists(store(), words('third'))).chunksByWords?.map(({ point_id }) => point_id),
      ).toEqual([pointId('s', 'chunk', 2)]);
      expect((await searchLists(store(), words('first'))).sessionsByWords).toHaveLength(1);
      const whole = changeOf(after, changeOf(after).session.payload.content_hash);
      await store().write([{ ...whole, upserts: [] }]);
      for (const word of ['first', 'second', 'thoughts', 'third']) {
        expect(
          (await searchLists(store(), words(word))).sessionsByWords?.map(({ session_id }) => session_id),
        ).toEqual(['s']);
      }
    });
  });
}

function changesOf(type: 'chunk' | 'intent'): { id: string; text: string }[] {
  return SAMPLES.flatMap((sample) =>
    changeOf(sample).upserts.flatMap(({ point: { id, payload } }) =>
      payload.type === type
        ? [{ id, text: payload.type === 'intent' ? payload.intent_text : payload.content }]
        : [],
    ),
  );
}

function idsIn(hits: Hit[] | null, field: 'session_id' | 'point_id'): string[] {
  return (hits ?? []).map((hit) => hit[field]);
}

function idsOf(session: string, type: 'chunk' | 'intent'): string[] {
  const sample = SAMPLES.find(({ id }) => id === session);
  const texts = (type === 'chunk' ? sample?.chunks : sample?.intents) ?? [];
  return texts.map((_, index) => pointId(session, type, index));
}

function expectFalling(hits: Hit[]): void {
  for (const [index, { score }] of hits.entries())
    expect(score).toBeLessThanOrEqual(hits[index - 1]?.score ?? Number.POSITIVE_INFINITY);
}

/** Expects the same members, in an order that agrees with at least one BM25 variant for each pair. */
function expectOrder(found: string[], reference: Scored[]): void {
  expect(found.toSorted()).toEqual(reference.map(({ id }) => id).sort());
  const scores = found.map(
    (id): Scored['scores'] => reference.find((one) => one.id === id)?.scores ?? [0, 0],
  );
  for (const [index, [robertson, lucene]] of scores.entries()) {
    for (const later of scores.slice(index + 1)) {
      expect(later[0] > robertson * 1.02 && later[1] > lucene * 1.02).toBe(false);
    }
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

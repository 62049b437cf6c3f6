import { describe, expect, it } from 'vitest';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import { countWaiting, scoreChunks, searchLists, vectorsIn } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  unit,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { embedAll, type MakePlace, useStore } from './use-store.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const day = (number: number) => `2026-05-0${number}T10:00:00.000Z`;
const sampleOf = (id: string, ended_at: string | null): Sample => ({
  id,
  chunks: [`${id} chunk 0`, `${id} chunk 1`],
  intents: [`${id} intent 0`, `${id} intent 1`],
  record: { ended_at },
});

export function describeVectors(make: MakePlace): void {
  describe('vectors', () => {
    const store = useStore(make);

    it('returns points without a vector: intents before chunks, newest sessions first', async () => {
      await store().write([
        changeOf(sampleOf('old', day(1))),
        changeOf(sampleOf('never', null)),
        changeOf(sampleOf('new', day(3))),
      ]);
      const order = (await store().pointsWithoutVector(100)).map(
        ({ payload }) => `${payload.type} ${payload.session_id} ${payload.chunk_index}`,
      );
      const expected = ['intent', 'chunk'].flatMap((type) =>
        ['new', 'old', 'never'].flatMap((id) => [`${type} ${id} 0`, `${type} ${id} 1`]),
      );
      expect(order).toEqual(expected);
      expect(await countWaiting(store())).toEqual({ intents: 6, chunks: 6 });
      const few = await store().pointsWithoutVector(8);
      expect(few.map(({ payload }) => payload.type)).toEqual([...Array(6).fill('intent'), 'chunk', 'chunk']);
      expect(few.slice(6).every(({ payload }) => payload.session_id === 'new')).toBe(true);
    });

    it('moves a session that grew to the front of the queue', async () => {
      const old = sampleOf('old', day(1));
      await store().write([changeOf(old), changeOf(sampleOf('new', day(3)))]);
      await store().write([growth(old, { ...old, record: { ended_at: day(5) } })]);
      expect((await store().pointsWithoutVector(1))[0]?.payload.session_id).toBe('old');
    });

    it('returns vectors with their points if requested', async () => {
      await store().write([changeOf(sampleOf('s', day(1))), changeOf(sampleOf('t', day(1)))]);
      const [chunk, intent, bare] = [
        pointId('s', 'chunk', 0),
        pointId('s', 'intent', 1),
        pointId('t', 'chunk', 0),
      ];
      expect(await vectorsIn(store(), [chunk])).toEqual(new Map());
      const item = (id: string, text: string) => ({ id, contentHash: sha256(text), vector: vectorOf(text) });
      await store().setVectors(SAMPLE_MODEL, [item(chunk, 's chunk 0'), item(intent, 's intent 1')]);
      const vectors = await vectorsIn(store(), [chunk, intent, bare, pointId('nobody', 'chunk', 0)]);
      expect([...vectors.keys()].sort()).toEqual([chunk, intent].sort());
      for (const [id, text] of [
        [chunk, 's chunk 0'],
        [intent, 's intent 1'],
      ] as const) {
        const wanted = vectorOf(text);
        expect(vectors.get(id)?.every((value, at) => Math.abs(value - (wanted[at] ?? 0)) < 0.01)).toBe(true);
      }
    });

    it('counts points without a vector until all are embedded, and again after a change', async () => {
      const before = sampleOf('s', day(1));
      await store().write([changeOf(before)]);
      await embedAll(store());
      expect(await store().pointsWithoutVector(10)).toEqual([]);
      expect(await countWaiting(store())).toEqual({ intents: 0, chunks: 0 });
      expect((await store().count()).vectors).toBe(4);
      await store().write([growth(before, { ...before, chunks: ['s chunk 0', 'changed'] })]);
      expect((await store().pointsWithoutVector(10)).map(({ id }) => id)).toEqual([pointId('s', 'chunk', 1)]);
      expect((await store().count()).vectors).toBe(3);
    });

    it('ignores the vector of a point whose text has changed or is gone', async () => {
      const before = sampleOf('s', day(1));
      await store().write([changeOf(before)]);
      const vector = vectorOf('x');
      await store().setVectors(SAMPLE_MODEL, [
        { id: pointId('s', 'chunk', 0), contentHash: sha256('an older text'), vector },
        { id: pointId('s', 'chunk', 1), contentHash: sha256('s chunk 1'), vector },
        { id: pointId('s', 'chunk', 7), contentHash: sha256('s chunk 7'), vector },
      ]);
      const ids = [0, 1, 7].map((index) => pointId('s', 'chunk', index));
      const points = await store().getPoints(ids, { hasVector: true });
      expect(points.filter(({ hasVector }) => hasVector).map(({ id }) => id)).toEqual([
        pointId('s', 'chunk', 1),
      ]);
      expect(points).toHaveLength(2);
    });

    it('replaces a vector', async () => {
      await store().write([changeOf({ id: 's', chunks: ['x'] })]);
      const put = (vector: Float32Array) =>
        store().setVectors(SAMPLE_MODEL, [
          { id: pointId('s', 'chunk', 0), contentHash: sha256('x'), vector },
        ]);
      await put(unit(1, 0, 0, 0, 0, 0, 0, 0));
      await put(unit(0, 1, 0, 0, 0, 0, 0, 0));
      const hits = await scoreChunks(store(), ['s'], unit(0, 1, 0, 0, 0, 0, 0, 0));
      expect(hits).toHaveLength(1);
      expect(hits[0]?.score).toBeCloseTo(1, 3);
      expect((await store().count()).vectors).toBe(1);
    });

    it('ranks zero and NaN vectors last', async () => {
      await store().write([changeOf({ id: 's', chunks: ['zero', 'fits', 'broken'] })]);
      const vectors = [
        new Float32Array(8),
        unit(1, 1, 0, 0, 0, 0, 0, 0),
        new Float32Array(8).fill(Number.NaN),
      ];
      await store().setVectors(
        SAMPLE_MODEL,
        vectors.map((vector, index) => ({
          id: pointId('s', 'chunk', index),
          contentHash: sha256(['zero', 'fits', 'broken'][index] ?? ''),
          vector,
        })),
      );
      expect(await countWaiting(store())).toEqual({ intents: 0, chunks: 0 });
      const vector = unit(1, 0, 0, 0, 0, 0, 0, 0);
      const { chunksByVector } = await searchLists(store(), {
        tokens: null,
        vector,
        filter: {},
        limits: LIMITS,
      });
      for (const hits of [chunksByVector, await scoreChunks(store(), ['s'], vector)]) {
        const best = hits?.toSorted((a, b) => b.score - a.score);
        expect(best?.[0]?.point_id).toBe(pointId('s', 'chunk', 1));
        expect(best?.slice(1).every(({ score }) => score === 0)).toBe(true);
      }
      expect(chunksByVector?.[0]?.point_id).toBe(pointId('s', 'chunk', 1));
    });

    it('refuses another model’s vectors', async () => {
      await store().write([changeOf({ id: 's', chunks: ['x'] })]);
      await embedAll(store());
      for (const model of [
        { id: 'other/model', dimensions: 8 },
        { id: SAMPLE_MODEL.id, dimensions: 4 },
      ]) {
        const vectors = [
          { id: pointId('s', 'chunk', 0), contentHash: sha256('x'), vector: vectorOf('x', model.dimensions) },
        ];
        await expect(store().setVectors(model, vectors)).rejects.toMatchObject({
          code: 'MODEL_MISMATCH',
          hint: expect.any(String),
        });
      }
      expect((await store().info()).model).toEqual(SAMPLE_MODEL);
      expect((await store().count()).vectors).toBe(1);
    });
  });
}

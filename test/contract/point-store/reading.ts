import { describe, expect, it } from 'vitest';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import {
  changeOf,
  SAMPLE_CHUNKING,
  SAMPLE_MODEL,
  type Sample,
  sessionPayload,
} from '../../support/transcripts/sample-sessions.ts';
import { embedAll, type MakePlace, useStore } from './use-store.ts';

const MANY: Sample = {
  id: 'aa-many',
  chunks: Array.from({ length: 12 }, (_, index) => `chunk number ${index}`),
  intents: ['first', 'second'],
};

export function describeReading(make: MakePlace): void {
  describe('reading', () => {
    const store = useStore(make);

    it('returns nothing for an absent session or point', async () => {
      expect(await getSession(store(), 'nobody')).toBeNull();
      expect(await store().getSessions(['nobody'])).toEqual([]);
      expect(await store().getSessions([])).toEqual([]);
      expect(await store().getPoints([pointId('nobody', 'chunk', 0)])).toEqual([]);
      expect(await store().getPoints([])).toEqual([]);
      expect(await store().getChunks('nobody')).toEqual([]);
      expect(await store().getHashes('nobody')).toEqual(new Map());
      expect(await store().findByIdPrefix('no', 5)).toEqual([]);
    });

    it('describes the store', async () => {
      const before = await store().info();
      expect(before.storeId).not.toBe('');
      expect(before.model).toBeNull();
      await store().write([changeOf(MANY)]);
      expect(await store().info()).toEqual({ ...before, chunking: SAMPLE_CHUNKING });
      await embedAll(store());
      expect((await store().info()).model).toEqual(SAMPLE_MODEL);
    });

    it('returns chunks in order, from an index on', async () => {
      await store().write([changeOf(MANY)]);
      expect((await store().getChunks('aa-many')).map(({ chunk_index }) => chunk_index)).toEqual(
        MANY.chunks?.map((_, index) => index),
      );
      expect((await store().getChunks('aa-many', 10)).map(({ content }) => content)).toEqual([
        'chunk number 10',
        'chunk number 11',
      ]);
      expect(await store().getChunks('aa-many', 12)).toEqual([]);
    });

    it('returns the hash of every intent and chunk, and of nothing else', async () => {
      const change = changeOf(MANY);
      await store().write([change, changeOf({ id: 'other', chunks: ['x'] })]);
      expect(await store().getHashes('aa-many')).toEqual(
        new Map(change.upserts.map(({ point }) => [point.id, point.payload.content_hash])),
      );
    });

    it('returns points as they were written', async () => {
      const change = changeOf(MANY);
      await store().write([change]);
      const wanted = change.upserts.slice(1, 4).map(({ point }) => point);
      const points = await store().getPoints([...wanted.map(({ id }) => id), pointId('nobody', 'chunk', 0)], {
        hasVector: true,
      });
      expect(new Map(points.map(({ id, payload }) => [id, payload]))).toEqual(
        new Map(wanted.map(({ id, payload }) => [id, payload])),
      );
      expect(points.every(({ hasVector }) => !hasVector)).toBe(true);
      await embedAll(store());
      expect(
        (
          await store().getPoints(
            wanted.map(({ id }) => id),
            { hasVector: true },
          )
        ).every(({ hasVector }) => hasVector),
      ).toBe(true);
    });

    it('returns each session once', async () => {
      const samples = ['a', 'b', 'c'].map((id): Sample => ({ id, chunks: [id] }));
      await store().write(samples.map((sample) => changeOf(sample)));
      const sessions = await store().getSessions(['c', 'a', 'a', 'nobody']);
      expect(sessions.map(({ session_id }) => session_id).sort()).toEqual(['a', 'c']);
      expect(sessions.find(({ session_id }) => session_id === 'c')).toEqual(
        sessionPayload({ id: 'c', chunks: ['c'] }),
      );
    });

    it('finds sessions by id prefix', async () => {
      const ids = [
        '0a1b2c3d-0000-4000-8000-000000000001',
        '0a1b2c3d-0000-4000-8000-000000000002',
        '0a1bffff-0000-4000-8000-000000000003',
        '0a1b2c3d-0000-4000-8000-000000000001@borealis',
        'x%_y',
      ];
      await store().write(ids.map((id) => changeOf({ id })));
      const find = async (prefix: string, limit = 10) =>
        (await store().findByIdPrefix(prefix, limit)).map(({ session_id }) => session_id).sort();
      expect(await find('0a1b2c3d-0000-4000-8000-000000000001')).toEqual([ids[0], ids[3]]);
      expect(await find('0a1b2c3d')).toEqual([ids[0], ids[3], ids[1]]);
      expect(await find('0a1b')).toHaveLength(4);
      expect(await find('0')).toHaveLength(4);
      expect(await find('0a1b', 2)).toHaveLength(2);
      expect(await find('x%')).toEqual(['x%_y']);
      expect(await find('%')).toEqual([]);
      expect(await find('_')).toEqual([]);
      expect(await find('0a1b2c3d-0000-4000-8000-000000000009')).toEqual([]);
    });
  });
}

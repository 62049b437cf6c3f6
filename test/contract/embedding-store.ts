import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PointStore } from '../../src/ports/point-store.ts';
import type { RemoteStore } from '../../src/ports/remote-store.ts';
import { countWaiting, searchLists, vectorsIn } from '../support/stores/ask-store.ts';
import { changeOf, growth, type Sample } from '../support/transcripts/sample-sessions.ts';
import type { StorePlace } from './point-store.ts';

/** A place whose stores embed; `openPlain` opens a store that does not. */
export interface EmbeddingPlace extends StorePlace {
  open(): Promise<RemoteStore>;
  openPlain(): Promise<RemoteStore>;
}

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const CAR: Sample = { id: 'car', chunks: ['The car has a new engine.'], intents: ['Mend the car!'] };
const OAK: Sample = { id: 'oak', chunks: ['An oak grows by the pond.'], intents: ['Plant a tree!'] };

/** The suite for every store that embeds. */
export function describeEmbeddingStore(name: string, make: () => Promise<EmbeddingPlace>): void {
  describe(`${name} as an embedding store`, { timeout: 60_000 }, () => {
    let place: EmbeddingPlace | null = null;
    let handles: RemoteStore[] = [];
    const open = async (kind: 'open' | 'openPlain' = 'open'): Promise<RemoteStore> => {
      if (place === null) throw new Error('there is no place');
      const handle = await place[kind]();
      handles.push(handle);
      return handle;
    };
    beforeEach(async () => {
      place = await make();
    });
    afterEach(async () => {
      for (const handle of handles.splice(0)) await handle.close();
      await place?.remove();
      handles = [];
    });
    const nearest = async (store: PointStore, text: string) => {
      const lists = await searchLists(store, { tokens: null, vector: { text }, filter: {}, limits: LIMITS });
      return lists.chunksByVector?.map(({ session_id }) => session_id);
    };

    it('embeds texts as they are written, and finds them by meaning', async () => {
      const store = await open();
      expect(await store.write([changeOf(CAR), changeOf(OAK)])).toEqual({ conflicts: [] });
      expect(await store.count()).toMatchObject({ sessions: 2, vectors: 4 });
      expect((await store.info()).model).toEqual(store.embedding?.model);
      expect(await nearest(store, 'automobile repair')).toEqual(['car', 'oak']);
      expect(await nearest(store, 'oak tree')).toEqual(['oak', 'car']);
    });

    it('keeps the vector of an unchanged text, and replaces that of a changed one', async () => {
      const store = await open();
      await store.write([changeOf(CAR)]);
      const [intent, chunk] = changeOf(CAR).upserts.map(({ point }) => point.id);
      const before = await vectorsIn(store, [intent ?? '', chunk ?? '']);
      await store.setTags('car', ['garage']);
      await store.write([growth(CAR, { ...CAR, chunks: ['The bicycle has a flat tyre.'] })]);
      const after = await vectorsIn(store, [intent ?? '', chunk ?? '']);
      expect(after.get(intent ?? '')).toEqual(before.get(intent ?? ''));
      expect(after.get(chunk ?? '')).not.toEqual(before.get(chunk ?? ''));
      expect(after.size).toBe(2);
    });

    it('embeds texts later that arrived without a vector', async () => {
      await (await open('openPlain')).write([changeOf(CAR), changeOf(OAK)]);
      const store = await open();
      expect(await countWaiting(store)).toEqual({ intents: 2, chunks: 2 });
      expect(await store.embedding?.embedPending(3)).toEqual({ embedded: 3, refused: null });
      expect(await store.embedding?.embedPending(3)).toEqual({ embedded: 1, refused: null });
      expect(await nearest(store, 'automobile repair')).toEqual(['car', 'oak']);
    });
  });
}

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { pointText } from '../../../src/domain/point/point.ts';
import type { Hit, RankedLists } from '../../../src/domain/search/search.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { changeOf, SAMPLE_MODEL, type Sample, vectorOf } from '../../support/transcripts/sample-sessions.ts';
import type { StorePlace } from '../point-store.ts';

export type MakePlace = () => Promise<StorePlace>;

/** A new store for each test. */
export function useStore(make: MakePlace): () => PointStore {
  const open = useHandles(make, 1);
  return () => open(0);
}

/** A new place for each test, with handles on it. */
export function useHandles(make: MakePlace, count: number): (index: number) => PointStore {
  let place: StorePlace | null = null;
  let handles: PointStore[] = [];
  beforeEach(async () => {
    place = await make();
    handles = await openHandles(place, count);
  });
  afterEach(async () => {
    for (const handle of handles) await handle.close();
    await place?.remove();
  });
  return (index) => pick(handles, index);
}

/** A single store with these sessions for all tests of a group, which only read it. */
export function useFilledStore(make: MakePlace, samples: Sample[]): () => PointStore {
  let place: StorePlace | null = null;
  let handles: PointStore[] = [];
  beforeAll(async () => {
    place = await make();
    handles = await openHandles(place, 1);
    const store = pick(handles, 0);
    await store.write(samples.map((sample) => changeOf(sample)));
    await embedAll(store);
  });
  afterAll(async () => {
    for (const handle of handles) await handle.close();
    await place?.remove();
  });
  return () => pick(handles, 0);
}

/** The lists of an answer. */
export function listsOf(lists: RankedLists): (Hit[] | null)[] {
  return [lists.sessionsByWords, lists.chunksByWords, lists.chunksByVector, lists.intentsByVector];
}

/** Embeds every point without a vector. */
export async function embedAll(store: PointStore): Promise<void> {
  const points = await store.pointsWithoutVector(1000);
  await store.setVectors(
    SAMPLE_MODEL,
    points.map(({ id, payload }) => ({
      id,
      contentHash: payload.content_hash,
      vector: vectorOf(pointText(payload)),
    })),
  );
}

async function openHandles(place: StorePlace, count: number): Promise<PointStore[]> {
  const handles: PointStore[] = [];
  for (let at = 0; at < count; at += 1) handles.push(await place.open());
  return handles;
}

function pick(handles: PointStore[], index: number): PointStore {
  const handle = handles[index];
  if (handle === undefined) throw new Error(`no store handle ${index}`);
  return handle;
}

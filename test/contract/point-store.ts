import { describe } from 'vitest';
import type { PointStore } from '../../src/ports/point-store.ts';
import { describeFilters } from './point-store/filters.ts';
import { describeHandles } from './point-store/handles.ts';
import { describeListing } from './point-store/listing.ts';
import { describeMemory } from './point-store/memory.ts';
import { describeReading } from './point-store/reading.ts';
import { describeSearch, type Statistics } from './point-store/search.ts';
import { describeText } from './point-store/text.ts';
import { describeTokens } from './point-store/tokens.ts';
import { describeVectors } from './point-store/vectors.ts';
import { describeWriting } from './point-store/writing.ts';

/** An empty place for points. */
export interface StorePlace {
  /** Opens another handle on it. */
  open(): Promise<PointStore>;
  /** Removes the place, whose handles are already closed. */
  remove(): Promise<void>;
}

/** The suite for every point store. `make` creates an empty place for SAMPLE_MODEL and SAMPLE_CHUNKING. */
export function describePointStore(
  name: string,
  make: () => Promise<StorePlace>,
  statistics?: Statistics,
): void {
  describe(`${name} as a point store`, { timeout: 30_000 }, () => {
    describeWriting(make);
    describeReading(make);
    describeListing(make);
    describeFilters(make);
    describeSearch(make, statistics);
    describeTokens(make);
    describeVectors(make);
    describeText(make);
    describeMemory(make);
    describeHandles(make);
  });
}

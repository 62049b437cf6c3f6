import type { Coverage } from '../../../domain/search/search.ts';
import type { FindQuery } from '../../../ports/point-store.ts';
import type { Reads } from '../http/reads.ts';
import type { StoreRecord } from '../schema/store-record.ts';
import { askCoverage } from './list-sessions.ts';
import { asksForVectors, type RecentCounts } from './recent-counts.ts';

type CoverageOf = (record: Pick<StoreRecord, 'store_id'>) => Promise<Coverage>;

/**
 * The counts that a query needs: those of the caller, recent ones, or else new ones, requested along with the batch. The record in
 * its answer shows whether recent ones are still about the same store.
 */
export async function countFor(reads: Reads, counts: RecentCounts, query: FindQuery): Promise<CoverageOf> {
  const { coverage } = query;
  if (coverage) return async () => coverage;
  const withWaiting = asksForVectors(query);
  const ask = () => askCoverage(reads, { waiting: withWaiting });
  const note = (storeId: string, counted: Coverage) => {
    counts.note({ storeId, coverage: counted, withWaiting });
    return counted;
  };
  const recent = counts.coverage(query);
  const asked = recent === null ? await ask() : null;
  return async ({ store_id: storeId }) => {
    if (recent?.storeId === storeId) return recent.coverage;
    return note(storeId, asked ?? (await ask()));
  };
}

import { SmartForkError } from '../../../domain/errors.ts';
import type { PointStore } from '../../../ports/point-store.ts';

/** Whether the store failed, rather than a single transcript. A failed store cannot even write an empty list. */
export async function hasStoreFailed(store: Pick<PointStore, 'write'>, error: unknown): Promise<boolean> {
  if (!(error instanceof SmartForkError) || error.code === 'TRANSCRIPT_UNREADABLE') return false;
  if (error.code !== 'STORE_UNAVAILABLE') return true;
  try {
    await store.write([]);
    return false;
  } catch {
    // The caller reports the original error.
    return true;
  }
}

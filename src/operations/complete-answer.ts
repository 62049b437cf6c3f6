import { unmatchedFilters } from '../app/search/unmatched-filters.ts';
import { type MayBePartial, withOutage } from '../domain/outage.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import type { Open } from './open.ts';

/**
 * Begins an answer's notices with what it lacks, and an empty one's with filters that were probably mistyped.
 * @param filter null if the operation has none
 * @throws SmartForkError STORE_UNAVAILABLE for an empty answer that could not cover all that was asked
 */
export async function completeAnswer<Answer>(
  answer: Answer & MayBePartial,
  isEmpty: boolean,
  open: Pick<Open, 'outage' | 'store' | 'machine'>,
  filter: (() => Promise<SessionFilter>) | null,
): Promise<Answer & MayBePartial> {
  const covered = withOutage(answer, isEmpty, open.outage());
  if (!isEmpty || filter === null) return covered;
  const unmatched = await unmatchedFilters(await open.store(), await filter(), open.machine.now());
  if (unmatched.length === 0) return covered;
  return { ...covered, notices: [...unmatched, ...(covered.notices ?? [])] };
}

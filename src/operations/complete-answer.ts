import { unmatchedFilters } from '../app/search/unmatched-filters.ts';
import { type MayBePartial, withOutage } from '../domain/outage.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import type { Open } from './open.ts';

/** What is known of an answer. */
interface Shape {
  isEmpty: boolean;
  /** What is not indexed may belong in it. */
  mayLack: boolean;
}

/**
 * Begins an answer's notices with what it lacks, and an empty one's with filters that were probably mistyped.
 * @param filter null if the operation has none
 * @throws SmartForkError STORE_UNAVAILABLE for an empty answer that could not cover all that was asked
 */
export async function completeAnswer<Answer>(
  answer: Answer & MayBePartial,
  { isEmpty, mayLack }: Shape,
  open: Pick<Open, 'outage' | 'store' | 'machine' | 'unindexed'>,
  filter: (() => Promise<SessionFilter>) | null,
  running: string[],
): Promise<Answer & MayBePartial> {
  const covered = withOutage(answer, isEmpty, open.outage());
  const unindexed = mayLack ? await open.unindexed(running) : null;
  const unmatched =
    isEmpty && filter !== null
      ? await unmatchedFilters(await open.store(), await filter(), open.machine.now())
      : [];
  const first = [...unmatched, ...(unindexed === null ? [] : [unindexed])];
  return first.length === 0 ? covered : { ...covered, notices: [...first, ...(covered.notices ?? [])] };
}

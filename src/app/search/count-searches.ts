import { isWeak } from '../../domain/search/certainty.ts';
import type { SearchCounts } from '../../domain/summary.ts';
import type { ForkJournal } from '../../ports/fork-journal.ts';
import type { SearchLog } from '../../ports/search-log.ts';

const MAX_FORKS = 10_000;

/** Counts the logged searches, and the forks since the first of them. */
export function countSearches(log: SearchLog, journal: Pick<ForkJournal, 'list'>): SearchCounts {
  const searches = log.read();
  const since = searches[0]?.at ?? null;
  const forks = journal
    .list(MAX_FORKS)
    .filter(({ rank, chosenAt }) => rank !== null && since !== null && chosenAt >= since);
  return {
    since,
    searches: searches.length,
    nothing_found: searches.filter(({ results, fit }) => results === 0 || isWeak(fit && { level: fit }))
      .length,
    forks: forks.length,
    first_taken: forks.filter(({ rank }) => rank === 1).length,
  };
}

import type { SearchResponse } from '../search-result.ts';
import { count, plural } from '../text/time-text.ts';

/** `3 of 18 sessions`: the others matched too. */
export function foundText({ results, matched = 0 }: Pick<SearchResponse, 'results' | 'matched'>): string {
  return matched > results.length
    ? `${count(results.length)} of ${plural(matched, 'session')}`
    : plural(results.length, 'session');
}

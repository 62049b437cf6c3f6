import { severalNamed } from '../app/search/repository-filter.ts';
import { type MayBePartial, withOutage } from '../domain/outage.ts';
import type { Understood } from '../domain/query/understanding.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import type { Notice } from '../domain/search-result.ts';
import { languageNamed } from '../domain/session/languages.ts';
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
 * @param repo the repository in it, as typed
 * @throws SmartForkError STORE_UNAVAILABLE for an empty answer that could not cover all that was asked
 */
export async function completeAnswer<Answer>(
  answer: Answer & MayBePartial,
  { isEmpty, mayLack }: Shape,
  open: Pick<Open, 'outage' | 'store' | 'machine' | 'unindexed'>,
  filter: (() => Promise<SessionFilter>) | null,
  repo: string | undefined,
  running: string[],
): Promise<Answer & MayBePartial> {
  const covered = withOutage(answer, isEmpty, open.outage());
  const filtered = (isEmpty || mayLack) && filter !== null ? await filter() : null;
  const unindexed = mayLack ? await open.unindexed(running, asksForCode(filtered, covered)) : null;
  const unmatched = isEmpty && filtered !== null ? await explain(open, filtered) : [];
  const several = isEmpty || repo === undefined ? null : await severalNamed(repo, await open.store());
  const first = [...unmatched, ...[unindexed, several].filter((notice) => notice !== null)];
  return first.length === 0 ? covered : { ...covered, notices: [...first, ...(covered.notices ?? [])] };
}

/** Loaded for empty answers only. */
async function explain(open: Pick<Open, 'store' | 'machine'>, filter: SessionFilter): Promise<Notice[]> {
  const { unmatchedFilters } = await import('../app/search/explain-filters.ts');
  return unmatchedFilters(await open.store(), filter, open.machine.now());
}

/** Whether an answer depends on the languages of sessions: earlier versions did not note them. */
export function asksForCode(filter: SessionFilter | null, { ignored = [] }: MayBePartial): boolean {
  return filter?.lang !== undefined || filter?.hasCode !== undefined || ignored.some(isLanguage);
}

function isLanguage({ kind, value }: Pick<Understood, 'kind' | 'value'>): boolean {
  return kind === 'lang' && languageNamed(value) !== null;
}

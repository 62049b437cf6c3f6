import type { Notice } from '../../../domain/search-result.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { newestOutside } from '../unmatched-filters.ts';
import { isNamed, restrictionNotices } from './apply-understanding.ts';
import type { Said } from './understand-request.ts';

interface Restricted<Answer> {
  answer: Answer;
  /** The filters in the words were ignored, because nothing matches them, and the answer is without them. */
  isIgnored: boolean;
  /** What became of these filters. */
  notices: Notice[];
}

/** Asks with the filters that the words name and, if nothing matches them, without. */
export async function askRestricted<Answer>(
  store: PointStore,
  said: Said,
  now: number,
  ask: (said: Said) => Promise<Answer>,
  isEmpty: (answer: Answer) => boolean,
): Promise<Restricted<Answer>> {
  const first = await ask(said);
  const isUnrestricted = isEmpty(first) && said.understood.some(isNamed);
  const answer = isUnrestricted ? await ask({ ...said, ...said.unrestricted }) : first;
  const newest = isUnrestricted ? await newestOutside(store, said.filter) : undefined;
  return {
    answer,
    isIgnored: isUnrestricted && !isEmpty(answer),
    notices: restrictionNotices(said, { isEmpty: isEmpty(answer), newest, now }),
  };
}

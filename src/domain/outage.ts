import { SmartForkError } from './errors.ts';
import type { Understood } from './query/understanding.ts';
import type { Notice } from './search-result.ts';

/** Why answers lack something that was asked for. */
export interface Outage {
  code: (typeof OUTAGE_CODES)[number];
  /** What they cover. */
  extent: string;
  reason: string;
  hint?: string;
}

const OUTAGE_CODES = ['SERVER_AWAY', 'SERVER_REFUSED', 'COLLECTION_MISSING', 'LEGACY_COLLECTION'] as const;

/** An answer that a notice may be added to. */
export interface MayBePartial {
  /** Present if the answer could not cover all that was asked. */
  notices?: Notice[];
  /** Filters in the query that no session matches. */
  ignored?: Pick<Understood, 'kind' | 'value'>[];
}

export function outageNotice({ code, extent, reason, hint }: Outage): Notice {
  return { code, message: `${extent}: ${reason}`, hint };
}

/** The code of a notice about a filter in a query's words that matches nothing, so the answer is not restricted to it. */
export const NOTHING_RESTRICTED = 'NOTHING_RESTRICTED';
/** The code of a notice about a filter whose value no session has. */
export const UNMATCHED = 'FILTER_UNMATCHED';
/** The code of a notice that a repository's name is that of several. */
export const SEVERAL_REPOSITORIES = 'SEVERAL_REPOSITORIES';
/** The code of a notice about transcripts that no index run has read. */
export const NOT_INDEXED = 'NOT_INDEXED';
/** The code of a notice that nothing has what was asked for, so that the closest is shown. */
export const CLOSEST_ONLY = 'CLOSEST_ONLY';

const FIRST = new Set<string>([UNMATCHED, NOT_INDEXED, CLOSEST_ONLY, SEVERAL_REPOSITORIES]);

/** Whether a notice is shown before the answer: it says what the answer lacks, or why it is empty. */
export function comesFirst({ code }: Notice): boolean {
  return FIRST.has(code) || OUTAGE_CODES.some((one) => one === code);
}

/** The notices before the answer, and the others. */
export function partNotices(notices: Notice[]): { first: Notice[]; others: Notice[] } {
  return {
    first: notices.filter(comesFirst),
    others: notices.filter((notice) => !comesFirst(notice)),
  };
}

/** The answer with its outage first. @throws SmartForkError STORE_UNAVAILABLE if there is nothing else to show */
export function withOutage<Answer>(
  answer: Answer & MayBePartial,
  isEmpty: boolean,
  outage: Outage | null,
): Answer & MayBePartial {
  if (outage === null) return answer;
  // A collection that does not exist yet lacks no session.
  if (isEmpty && outage.code !== 'COLLECTION_MISSING')
    throw unavailable(outage, 'nothing was found on this machine');
  const others = answer.notices?.filter(({ code }) => code !== outage.code) ?? [];
  return { ...answer, notices: [outageNotice(outage), ...others] };
}

/** @param left what this machine can say */
export function unavailable({ reason, hint }: Outage, left: string): SmartForkError {
  return new SmartForkError('STORE_UNAVAILABLE', `${reason}; ${left}`, { hint });
}

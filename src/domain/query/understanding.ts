import type { SessionFilter } from '../search/search.ts';
import type { Outcome } from '../session/session.ts';

export type UnderstoodKind =
  | 'since'
  | 'until'
  | 'not'
  | 'exclude'
  | 'phrase'
  | 'repo'
  | 'branch'
  | 'agent'
  | 'machine'
  | 'outcome';

/** A condition that a query names in words, or an option that excludes. */
export interface Understood {
  kind: UnderstoodKind;
  /** The time (ISO 8601 UTC), name, text or id. */
  value: string;
  /** The words of the query that say so; null for an option. */
  from: string | null;
  /** As shown: "since Nov 15", "not kubernetes". */
  text: string;
}

/** Filters that a query can name. */
export type NamedFilter = Pick<SessionFilter, 'repo' | 'branch' | 'agent' | 'machine' | 'since' | 'until'>;

/** What a query says. */
export interface Understanding {
  /** What to search for: the query without the words that name a filter. */
  text: string;
  filter: NamedFilter;
  outcomes: Outcome[] | null;
  /** Texts that no result contains. */
  not: string[];
  /** Quoted texts, which every result contains. */
  phrases: string[];
  understood: Understood[];
}

/** Words of a query, [start, end) in UTF-16 units, that mean more than themselves. */
export interface Mention {
  start: number;
  end: number;
  /** What is still searched for. */
  keep?: string;
  understood: Omit<Understood, 'from'>[];
  filter?: NamedFilter;
  outcomes?: Outcome[];
}

/** Stands for words that are understood already. Readers treat it as an end of the query. */
export const MASK = '\0';

export function mask(text: string, mentions: Mention[]): string {
  let masked = text;
  for (const { start, end } of mentions)
    masked = masked.slice(0, start) + MASK.repeat(end - start) + masked.slice(end);
  return masked;
}

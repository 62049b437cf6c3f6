import type { SessionFilter } from '../search/search.ts';
import type { Outcome } from '../session/session.ts';

export type NameKind = 'repo' | 'branch' | 'machine' | 'agent' | 'lang';

type UnderstoodKind =
  | NameKind
  | 'since'
  | 'until'
  | 'not'
  | 'exclude'
  /** A word that looks like an exclusion, but is searched for. */
  | 'text'
  | 'phrase'
  | 'outcome'
  | 'mine';

/** A condition stated in the query's words, or by an option that excludes. */
export interface Understood {
  kind: UnderstoodKind;
  /** The time (ISO 8601 UTC), name, text or id. */
  value: string;
  /** The query's words for it; null for an option. */
  from: string | null;
  /** Shown to the user: "since Nov 15", "not kubernetes". */
  text: string;
  /** There is nothing of that name, so it was ignored. */
  unknown?: true;
}

/** Filters that a query can state. */
export type NamedFilter = Pick<
  SessionFilter,
  'repo' | 'branch' | 'agent' | 'machine' | 'lang' | 'since' | 'until'
>;

/** The conditions and the topic of a query. */
export interface Understanding {
  /** The text to search for: the query without the words that state a filter. */
  text: string;
  filter: NamedFilter;
  outcomes: Outcome[] | null;
  /** Only the user's own words are wanted. */
  mine: boolean;
  /** Texts that no result may contain. */
  not: string[];
  /** Filters that no result may match: "not in web-shop". */
  outside: NamedFilter[];
  /** Quoted texts, which every result must contain. */
  phrases: string[];
  understood: Understood[];
  /** The query's words for times that contradict each other. They are searched for, and filter nothing. */
  contradictory: string[];
  /** What the query calls a repository and so on, of which there is none of that name. */
  unknown: UnknownName[];
}

export interface UnknownName {
  kind: NameKind;
  name: string;
  /** The query's words, if they can be meant as nothing but a filter: "-repo:web-shp". */
  from?: string;
}

/** A range of a query, [start, end) in UTF-16 units, that states a condition. */
export interface Mention {
  start: number;
  end: number;
  /** The part of it that is still searched for. */
  keep?: string;
  understood: Omit<Understood, 'from'>[];
  filter?: NamedFilter;
  /** A filter that no result may match. */
  outside?: NamedFilter;
  outcomes?: Outcome[];
  mine?: true;
  /** Without a topic or another condition, these words are the topic. */
  needsTopic?: true;
}

/** Replaces words that are already understood. Readers treat it like the end of the query. */
export const MASK = '\0';

export function mask(text: string, mentions: Mention[]): string {
  let masked = text;
  for (const { start, end } of mentions)
    masked = masked.slice(0, start) + MASK.repeat(end - start) + masked.slice(end);
  return masked;
}

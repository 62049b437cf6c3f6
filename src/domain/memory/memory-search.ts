import type { Hit, SessionFilter } from '../search/search.ts';
import type { IdeaKind } from './memory.ts';

/** Ideas or spans for which every given field holds. Times are ISO 8601 UTC. */
export interface MemoryFilter {
  /** Of their sessions. */
  sessions?: SessionFilter;
  /** Any of these kinds: ideas only. */
  kinds?: IdeaKind[];
  /** Questions, problems and todos that are open, or that are not: ideas only. */
  open?: boolean;
  /** With any of these, as `type:name`. */
  entities?: string[];
  /** That ended at or after `since`, at or before `until`. */
  since?: string;
  until?: string;
}

/** Ranked lists of ideas and spans, each best first. Null: not searched. */
export interface MemoryLists {
  ideasByWords: Hit[] | null;
  ideasByVector: Hit[] | null;
  spansByWords: Hit[] | null;
  spansByVector: Hit[] | null;
}

/** Hits in each of the lists. */
export const MEMORY_LIMIT = 200;

export const NO_MEMORY_LISTS: MemoryLists = {
  ideasByWords: null,
  ideasByVector: null,
  spansByWords: null,
  spansByVector: null,
};

/** Applies a function to each list that was searched. */
export function mapMemoryLists(lists: MemoryLists, change: (list: Hit[]) => Hit[]): MemoryLists {
  const changed = (list: Hit[] | null) => list && change(list);
  return {
    ideasByWords: changed(lists.ideasByWords),
    ideasByVector: changed(lists.ideasByVector),
    spansByWords: changed(lists.spansByWords),
    spansByVector: changed(lists.spansByVector),
  };
}

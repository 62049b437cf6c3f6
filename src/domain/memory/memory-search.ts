import type { Hit, SessionFilter } from '../search/search.ts';
import type { IdeaKind } from '../session/ideas.ts';

/** Selects ideas or spans that meet every given condition. Times are ISO 8601 UTC. */
export interface MemoryFilter {
  /** Conditions on their sessions. */
  sessions?: SessionFilter;
  /** Any of these kinds; ideas only. */
  kinds?: IdeaKind[];
  /** Whether questions, problems and todos are open; ideas only. */
  open?: boolean;
  /** Any of these entities, as `type:name`. */
  entities?: string[];
  /** Ended at or after `since`, and at or before `until`. */
  since?: string;
  until?: string;
}

/** Ranked lists of ideas and spans, best first. Null if not searched. */
export interface MemoryLists {
  ideasByWords: Hit[] | null;
  ideasByVector: Hit[] | null;
  spansByWords: Hit[] | null;
  spansByVector: Hit[] | null;
}

/** Maximum number of hits per list. */
export const MEMORY_LIMIT = 200;

export function mapMemoryLists(lists: MemoryLists, change: (list: Hit[]) => Hit[]): MemoryLists {
  const changed = (list: Hit[] | null) => list && change(list);
  return {
    ideasByWords: changed(lists.ideasByWords),
    ideasByVector: changed(lists.ideasByVector),
    spansByWords: changed(lists.spansByWords),
    spansByVector: changed(lists.spansByVector),
  };
}

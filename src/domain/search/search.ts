import type { Agent } from '../agent/agents.ts';
import type { TextPayload } from '../point/point.ts';
import type { Marker } from '../session/session.ts';
import { MOST_COUNTED } from '../text/found-text.ts';

export const SEARCH_MODES = ['hybrid', 'keyword', 'dense'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];
/** What agents may see: everything, the repository of their project with its clones, or only the project's own folder. */
export const SCOPES = ['all', 'repository', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

export const RANKINGS = ['default', 'prd'] as const;
export type RankingName = (typeof RANKINGS)[number];

/** Selects sessions that meet every given condition. Times are ISO 8601 UTC. */
export interface SessionFilter {
  /** A repository; any of its properties may match. */
  repo?: { repo_id?: string; repo_key?: string; repo_name?: string };
  agent?: Agent;
  machine?: string;
  branch?: string;
  /** Sessions that ended at or after `since`, or began at or before `until`. */
  since?: string;
  until?: string;
  /** Sessions that touched a file whose path ends with these path components. */
  file?: string;
  /** Sessions with a commit whose hash, in lower case, begins with the same seven digits. */
  commit?: string;
  /** Sessions that changed or showed code of this language. */
  lang?: string;
  /** Sessions that changed or showed code of any language. */
  hasCode?: true;
  tag?: string;
  /** Stars and notes (see marks.ts), all of which must be present. */
  marks?: string[];
  marker?: Marker;
  sessionIds?: string[];
  excludeSessionIds?: string[];
  /** Only what existed at this time: sessions that had started, and passages whose last message is not later. */
  asOf?: string;
}

/** An entry of a ranked list. */
export interface Hit {
  session_id: string;
  /** Empty for a session. */
  point_id: string;
  /** BM25 in keyword lists, cosine in vector lists. */
  score: number;
  /** When the session ended, for recency. */
  ended_at: string | null;
}

/** The four lists of docs/internals/ranking.md, best first. Null if not searched. */
export interface RankedLists {
  sessionsByWords: Hit[] | null;
  chunksByWords: Hit[] | null;
  chunksByVector: Hit[] | null;
  intentsByVector: Hit[] | null;
}

/** The query's vector: a unit vector, or a text if the server embeds. */
export type QueryVector = Float32Array | { text: string };

export function mapLists(lists: RankedLists, change: (list: Hit[]) => Hit[]): RankedLists {
  const changed = (list: Hit[] | null) => list && change(list);
  return {
    sessionsByWords: changed(lists.sessionsByWords),
    chunksByWords: changed(lists.chunksByWords),
    chunksByVector: changed(lists.chunksByVector),
    intentsByVector: changed(lists.intentsByVector),
  };
}

/** The vector for a store that cannot embed; null for a text. */
export function numbersIn(vector: QueryVector | null): Float32Array | null {
  return vector instanceof Float32Array ? vector : null;
}

/** What is compared with the index: the query or one of its further phrasings. */
export interface Phrasing {
  /** Unique lexical tokens. At least the rarest MAX_TOKENS count. Null: no keyword lists. */
  tokens: string[] | null;
  /** Null: no vector lists. Only a store that embeds accepts a text. */
  vector: QueryVector | null;
}

/** Maximum number of hits per ranked list. */
export interface ListLimits {
  sessions: number;
  chunks: number;
  intents: number;
}

/** Lists grow from 2,000 sessions on, so that one long session cannot fill them. */
export function listLimits(sessions: number): ListLimits {
  const many = sessions > 2000 ? 1000 : 200;
  return { sessions: MOST_COUNTED, chunks: many, intents: many };
}

/** How many of a query's tokens count, rarest first. */
export const MAX_TOKENS = 64;
/** The same for further phrasings. With fewer they find less, with more they take longer (docs/internals/ranking.md). */
export const MAX_PHRASING_TOKENS = 24;

/** @param frequencies in how many chunks each token occurs; a token that occurs nowhere finds nothing. */
export function rarestTokens(
  tokens: string[],
  frequencies: Map<string, number>,
  most = MAX_TOKENS,
): string[] {
  const frequency = (token: string) => frequencies.get(token) ?? 0;
  return tokens
    .filter((token) => frequency(token) > 0)
    .sort((a, b) => frequency(a) - frequency(b))
    .slice(0, most);
}

/** How many points a store has, and how many lack a vector. */
export interface Coverage {
  sessions: number;
  chunks: number;
  intents: number;
  waiting: { intents: number; chunks: number };
  memory: MemoryCoverage;
}

/** How many ideas and spans a store has, and how many of both lack a vector. */
interface MemoryCoverage {
  ideas: number;
  spans: number;
  waiting: number;
}

export const NO_MEMORY: MemoryCoverage = { ideas: 0, spans: 0, waiting: 0 };

export type StoredPoint = {
  id: string;
  payload: TextPayload;
  /** Only if requested, or with the vectors: a server takes a request of its own for it. */
  hasVector?: boolean;
  /** Only if requested and present. Cosine stores may return it normalized. */
  vector?: Float32Array;
};

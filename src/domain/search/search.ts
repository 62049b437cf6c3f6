import type { ChunkPayload, IntentPayload, SessionPayload } from '../point/point.ts';
import type { Agent, Marker } from '../session/session.ts';

export const SEARCH_MODES = ['hybrid', 'keyword', 'dense'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];
export const RANKINGS = ['default', 'prd'] as const;
export type RankingName = (typeof RANKINGS)[number];

/** Restricts sessions; every field given must hold. Times are ISO 8601 UTC. */
export interface SessionFilter {
  /** A repository: any of the given properties may match. */
  repo?: { repo_id?: string; repo_key?: string; repo_name?: string };
  agent?: Agent;
  machine?: string;
  branch?: string;
  /** Sessions with activity at or after / started at or before. */
  since?: string;
  until?: string;
  /** Sessions that touched a file whose path ends with this (whole path parts). */
  file?: string;
  tag?: string;
  marker?: Marker;
  sessionIds?: string[];
  excludeSessionIds?: string[];
  /** Only what existed then: points whose last message is not later, sessions that had started. */
  asOf?: string;
}

/** A hit of one ranked list. `score`: larger is better; BM25 for words, cosine for vectors. */
export interface Hit {
  session_id: string;
  /** Empty for hits on sessions. */
  point_id: string;
  score: number;
  /** When the session ended, for recency. */
  ended_at: string | null;
}

/** The four lists of docs/ranking.md, each best first. A list that could not be asked is null. */
export interface RankedLists {
  sessionsByWords: Hit[] | null;
  chunksByWords: Hit[] | null;
  chunksByVector: Hit[] | null;
  intentsByVector: Hit[] | null;
}

/** What vectors are compared with: a unit vector, or a text for a store that embeds by itself. */
export type QueryVector = Float32Array | { text: string };

/** For a store that cannot embed. */
export function numbersIn(vector: QueryVector | null): Float32Array | null {
  return vector instanceof Float32Array ? vector : null;
}

export interface StoreQuery {
  /** Lexical tokens (domain/lexical.ts), unique. Null: don't ask the word lists. */
  tokens: string[] | null;
  /** Null: don't ask the vector lists. A text asks them where the store embeds by itself (`PointStore.embedding`), and nowhere else. */
  vector: QueryVector | null;
  filter: SessionFilter;
  limits: { sessions: number; chunks: number; intents: number };
}

/** How long the lists are; from 2,000 sessions on, longer ones keep one long session from filling them. */
export function listLimits(sessions: number): StoreQuery['limits'] {
  const many = sessions > 2000 ? 1000 : 200;
  return { sessions: 100, chunks: many, intents: many };
}

/** What there is, and what of it waits for a vector. */
export interface Coverage {
  sessions: number;
  chunks: number;
  intents: number;
  waiting: { intents: number; chunks: number };
}

/** How often tokens occur, for IDF: number of sessions and of chunks that hold each. */
export interface TokenStatistics {
  sessionCount: number;
  chunkCount: number;
  sessionsWith: Map<string, number>;
  chunksWith: Map<string, number>;
}

export type StoredPoint = {
  id: string;
  payload: IntentPayload | ChunkPayload | SessionPayload;
  hasVector: boolean;
};

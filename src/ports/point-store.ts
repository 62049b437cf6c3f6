import type { ChunkPayload, IntentPayload, Point, SessionPayload } from '../domain/point/point.ts';
import type {
  Coverage,
  Hit,
  QueryVector,
  RankedLists,
  SessionFilter,
  StoredPoint,
  StoreQuery,
  TokenStatistics,
} from '../domain/search/search.ts';
import type { Notice } from '../domain/search-result.ts';
import type { Refusal } from './embedder.ts';

/** What a store says of itself. `model` is null until the first vector is stored. */
export interface StoreInfo {
  /** Changes when the store is made anew: cursors of another store are worth nothing. */
  storeId: string;
  schemaVersion: number;
  model: { id: string; dimensions: number } | null;
  /** Name of the chunk sizes the points were cut with. */
  chunking: string | null;
  /** Names the key that the texts are sealed with; null where they are plain. */
  seal: string | null;
  /** True where it can be read alone. */
  readOnly?: boolean;
}

/**
 * The change of one session. Points that are not named stay as they are.
 * A point whose text stays the same keeps its vector; a session that is there keeps its tags (`setTags` changes them).
 * The session point is written last: it is the commit marker.
 */
export interface SessionChange {
  session: Point<SessionPayload>;
  upserts: TextPointChange[];
  /** Ids of points that no longer exist. */
  deletes: string[];
  /**
   * content_hash of the session point that the change was worked out against, null for none.
   * A store that finds another one there leaves the session alone and reports a conflict.
   */
  expected: string | null;
  /** The session's whole token stream; null leaves the old one in place and marks the session for `refresh`. */
  tokens: string | null;
  /** Who writes has vectors for the texts and sets them next: a store that embeds by itself leaves them alone. */
  vectorsFollow?: boolean;
}

export interface Written {
  /** Ids of sessions that were left alone because of a conflict. */
  conflicts: string[];
  /** Why texts have no vectors; only of a store that embeds by itself. */
  vectorsRefused?: Refusal;
}

/**
 * A store that embeds by itself. Texts get their vectors when they are written; a text that stays the same is not embedded again.
 * Where the service refuses, texts are stored without.
 */
export interface StoreEmbedding {
  model: { id: string; dimensions: number };
  /** Embeds points that have no vector, at most so many, of the newest sessions first. */
  embedPending(limit: number, signal?: AbortSignal): Promise<PendingReport>;
}

export interface PendingReport {
  embedded: number;
  refused: Refusal | null;
}

export interface TextPointChange {
  point: Point<IntentPayload | ChunkPayload>;
  /** Space-separated lexical tokens of a chunk without its overlap; null for intents. */
  tokens: string | null;
}

export interface SessionPage {
  sessions: SessionPayload[];
  cursor: string | null;
}

export interface StoreCounts {
  sessions: number;
  chunks: number;
  intents: number;
  vectors: number;
  /** Bytes on disk or on the server. */
  bytes: number;
}

export interface FacetRow {
  value: string;
  count: number;
}

/** A store's coverage as it was a while ago. */
export interface KnownCoverage {
  storeId: string;
  coverage: Coverage;
}

/** All that a search wants of a store. */
export interface FindQuery extends StoreQuery {
  /** Tokens whose holders among the chunks are wanted. */
  words: string[];
  /** Need not be asked again, if it is of this very store; null for none. */
  known: KnownCoverage | null;
}

export interface Findings extends KnownCoverage {
  lists: RankedLists;
  model: StoreInfo['model'];
  statistics: Omit<TokenStatistics, 'sessionsWith'>;
  /** Sessions and texts that the best hits are of; not of all hits. */
  sessions: SessionPayload[];
  points: StoredText[];
  /** Why the vector lists were not asked, although they should have been. */
  vectorRefused?: Refusal;
}

export type StoredText = Pick<StoredPoint, 'id'> & { payload: IntentPayload | ChunkPayload };

/** A store for the time of one search, which starts with `begin`. What that brought is not asked for again. */
export interface Reading extends PointStore {
  begin(
    query: Omit<FindQuery, 'limits' | 'known'>,
  ): Promise<Pick<Findings, 'lists' | 'coverage' | 'model' | 'vectorRefused'>>;
}

/**
 * Where points live.
 *
 * - Every method is safe to call from several processes at once. `write` is atomic per session: a reader sees a session
 *   either before or after its change.
 * - `search`, `get…`, `list` and `count` never wait for a writer.
 * - An absent session or point is an empty answer, never an error.
 * - Filters, hits and scores mean the same in every store (domain/search.ts); the contract suite compares them.
 * - A store holds texts that one key has sealed, or plain ones. It is opened for one of the two, keeps to what it was first
 *   opened for, and refuses anything else before it reads or writes.
 * - Throws SmartForkError STORE_UNAVAILABLE when the store cannot be reached, STORE_INCOMPATIBLE when it
 *   was filled by another model, another key or a newer schema.
 */
export interface PointStore {
  info(): Promise<StoreInfo>;
  write(changes: SessionChange[]): Promise<Written>;
  deleteSessions(sessionIds: string[]): Promise<number>;
  /**
   * For who notes a deletion before it is done. Absent where nothing is refused.
   * @throws SmartForkError USAGE where `deleteSessions` would refuse.
   */
  checkDeletion?(sessionIds: string[]): Promise<void>;
  setTags(sessionId: string, tags: string[]): Promise<void>;

  getSession(sessionId: string): Promise<SessionPayload | null>;
  /** In no particular order. */
  getSessions(sessionIds: string[]): Promise<SessionPayload[]>;
  /** Sessions whose id begins with the prefix, at most `limit`. */
  findByIdPrefix(prefix: string, limit: number): Promise<SessionPayload[]>;
  getPoints(ids: string[]): Promise<StoredPoint[]>;
  /** Chunks of a session in order; `from` is the first index. */
  getChunks(sessionId: string, from?: number): Promise<ChunkPayload[]>;
  /** Id to content_hash of a session's intents and chunks. */
  getHashes(sessionId: string): Promise<Map<string, string>>;
  /** Newest first by `ended_at`. */
  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage>;
  count(filter?: SessionFilter): Promise<StoreCounts>;
  facet(
    field: 'repo_name' | 'month' | 'agent' | 'machine' | 'branch' | 'tag',
    filter?: SessionFilter,
  ): Promise<FacetRow[]>;

  /** The ranked lists of docs/ranking.md in one round trip. */
  search(query: StoreQuery): Promise<RankedLists>;
  /** `search`, with what else a search wants, in one round trip. Stores that are far away have it. */
  find?(query: FindQuery): Promise<Findings>;
  /** For one search, by who asks a store that is far away: the waiting is limited in all. */
  reading?(): Reading;
  /** Cosine of every chunk of the given sessions with the vector (the PRD's formula needs all of them). */
  scoreChunks(sessionIds: string[], vector: QueryVector): Promise<Hit[]>;
  /** With `of` only the holders among those need be counted: it may cost half. */
  tokenStatistics(tokens: string[], of?: 'chunks' | 'sessions'): Promise<TokenStatistics>;

  /** Points that wait for a vector: newest sessions first, all intents before the first chunk. */
  pointsWithoutVector(limit: number): Promise<Point<IntentPayload | ChunkPayload>[]>;
  countWithoutVector(): Promise<{ intents: number; chunks: number }>;
  /** Whether texts of this machine wait for vectors, or to be sent; of a store that is shared with other machines. */
  needsIndexing?(): Promise<boolean>;
  /**
   * Stores vectors. A point whose content_hash is no longer the given one is left without. The first call fixes
   * the model; another one throws STORE_INCOMPATIBLE.
   */
  setVectors(
    model: { id: string; dimensions: number },
    vectors: { id: string; contentHash: string; vector: Float32Array }[],
  ): Promise<void>;

  /** Absent where vectors are computed elsewhere. */
  embedding?: StoreEmbedding;
  /** Stored vectors by id; those of points without one are not in it. Cosine stores may give them normalised. */
  getVectors(ids: string[]): Promise<Map<string, Float32Array>>;

  /** Brings token streams of sessions that grew up to date; returns how many. */
  refresh(signal?: AbortSignal): Promise<number>;
  /** What a reader should know of where the answers came from, since it was last told. */
  notices?(): Notice[];
  close(): Promise<void>;
}

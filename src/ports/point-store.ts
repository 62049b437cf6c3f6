import type { Problem } from '../domain/errors.ts';
import type { MemoryFilter, MemoryLists } from '../domain/memory/memory-search.ts';
import type { Outage } from '../domain/outage.ts';
import { lexicalText } from '../domain/point/chunking.ts';
import {
  type ChunkPayload,
  type MemoryPayload,
  memoryText,
  type PassagePayload,
  type Point,
  type SessionPayload,
  type TextPayload,
} from '../domain/point/point.ts';
import type { LexicalTokenizer } from '../domain/search/lexical.ts';
import type {
  Coverage,
  Hit,
  ListLimits,
  Phrasing,
  RankedLists,
  SessionFilter,
  StoredPoint,
} from '../domain/search/search.ts';
import type { Notice } from '../domain/search-result.ts';

/**
 * A store of points.
 *
 * - Every method is safe to call from several processes at once. `write` is atomic per session: a reader sees a session
 *   either before or after its change.
 * - Reads never wait for a writer.
 * - An absent session or point is an empty answer, never an error.
 * - Filters, hits and scores mean the same in every store; the contract suite compares them.
 * - A store holds plain texts, or texts sealed with one key. It refuses to be opened for anything else.
 * - Throws SmartForkError STORE_UNAVAILABLE when the store cannot be reached, STORE_INCOMPATIBLE when it was filled
 *   with another key or by a newer schema, MODEL_MISMATCH for another model's vectors.
 */
export interface PointStore {
  info(): Promise<StoreInfo>;
  write(changes: SessionChange[]): Promise<Written>;
  /** Returns the number of sessions deleted. Also finishes removing text that a killed process had started to delete. */
  deleteSessions(sessionIds: string[]): Promise<number>;
  setTags(sessionId: string, tags: string[]): Promise<void>;

  /** In no particular order. */
  getSessions(sessionIds: string[]): Promise<SessionPayload[]>;
  /** At most `limit` sessions whose id begins with the prefix, by id. */
  findByIdPrefix(prefix: string, limit: number): Promise<SessionPayload[]>;
  /** Points with texts, in no particular order. Vectors may be rounded to 8 bits per number, and scaled. */
  getPoints(ids: string[], options?: { vectors?: boolean; hasVector?: boolean }): Promise<StoredPoint[]>;
  /** Chunks of a session in order; `from` is the first index. */
  getChunks(sessionId: string, from?: number): Promise<ChunkPayload[]>;
  /** Maps the ids of a session's text points to content_hash, without sending the texts; empty for a damaged point. */
  getHashes(sessionId: string): Promise<Map<string, string>>;
  /** Newest first by `ended_at`. */
  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage>;
  /** A server counts a point twice while it moves it, unless `exact`, which takes it time for every point. */
  count(filter?: SessionFilter, options?: { exact?: boolean }): Promise<StoreCounts>;
  /** Sessions per value, most frequent first, months in order. For `kind` and `entity`, counts ideas instead. */
  facet(field: FacetField, filter?: SessionFilter): Promise<FacetRow[]>;

  /** Everything that a search needs to rank; `getSessions` and `getPoints` fetch what it shows. A remote store answers in one round trip. */
  find(query: FindQuery): Promise<Findings>;
  /** Ideas or spans, newest first by `ended_at`. */
  listMemory<T extends MemoryPayload['type']>(
    type: T,
    filter: MemoryFilter,
    limit: number,
  ): Promise<MemoryOf<T>[]>;

  /** Points not embedded yet: intents, then chunks, then ideas and spans, each from the newest session to the oldest. */
  pointsWithoutVector(limit: number): Promise<Point<TextPayload>[]>;
  /**
   * Skips points whose content_hash has changed. The first call fixes the model.
   * @throws SmartForkError MODEL_MISMATCH for another model.
   */
  setVectors(
    model: { id: string; dimensions: number },
    vectors: { id: string; contentHash: string; vector: Float32Array }[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** What the rest of a session tells whose record is damaged. */
export interface DamagedSession {
  session_id: string;
  repo_id: string;
  repo_key: string | null;
  repo_name: string;
  ended_at: string | null;
}

/** A store that knows which sessions it leaves out because their records are damaged. */
export interface DamageReader {
  /** Those that match the filter, as far as the rest of them tells. */
  listDamaged(filter: SessionFilter): Promise<DamagedSession[]>;
}

/** See DamageReader; a server names only those that it was asked for. */
export async function damagedIn(
  store: PointStore | DamageReader,
  filter: SessionFilter = {},
): Promise<DamagedSession[]> {
  return 'listDamaged' in store ? store.listDamaged(filter) : [];
}

/** A store that answers from a server, or from this machine's store while the server is unreachable. */
export interface SharedStore extends PointStore, DamageReader {
  /** The same store for one search: all its requests share one deadline. */
  forOneSearch(): PointStore;
  /** Notices about the answers since the last call, for example that the server is unreachable. */
  notices(): Notice[];
  /** Why answers lack the server's part; null if the last one has it. Whoever asks tells the user: `notices` will not repeat it. */
  outage(): Outage | null;
}

export interface StoreInfo {
  /** Changes when the store is rebuilt, which voids all cursors. */
  storeId: string;
  /** Null until the first vector is stored. */
  model: StoredModel | null;
  /** Name of the chunk sizes of its texts. */
  chunking: string | null;
  /** Id of the key that seals its texts; null for plain text. */
  seal: string | null;
  readOnly?: boolean;
}

export interface StoredModel {
  id: string;
  dimensions: number;
}

/**
 * A change to one session. Points that it does not name stay as they are.
 * A point whose text is unchanged keeps its vector; an existing session keeps its tags (`setTags` changes them).
 * The session point is written last: it is the commit marker.
 */
export interface SessionChange {
  session: Point<SessionPayload>;
  upserts: TextPointChange[];
  /** Ids of points that no longer exist. */
  deletes: string[];
  /**
   * content_hash of the session point that this change is based on; null for a new session. A store that has a different one skips
   * the session and reports a conflict.
   */
  expected: string | null;
  /** The session's whole token stream; null keeps the old one until `LocalStore.refresh`. */
  tokens: string | null;
  /** The caller is about to set the vectors, so a store that embeds need not compute them. */
  vectorsFollow?: boolean;
}

export interface TextPointChange {
  point: Point<TextPayload>;
  /** Space-separated lexical tokens of an idea, a span, or a chunk without its overlap; null for intents. */
  tokens: string | null;
}

export interface Written {
  /** Ids of sessions skipped because of a conflict. */
  conflicts: string[];
  /** Why a store that embeds left texts without vectors. */
  vectorsRefused?: Problem;
}

export interface SessionPage {
  sessions: SessionPayload[];
  cursor: string | null;
}

/** Every matching session, newest first. Where a user waits for a server's answer, `most` of them. */
export async function* eachSession(
  store: Pick<PointStore, 'list'>,
  filter: SessionFilter = {},
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<SessionPayload> {
  let cursor: string | undefined;
  let left = most;
  do {
    const page = await store.list(filter, Math.min(SESSIONS_PER_PAGE, left), cursor);
    yield* page.sessions;
    left -= page.sessions.length;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined && left > 0);
}

const SESSIONS_PER_PAGE = 500;

export interface StoreCounts extends Coverage {
  /** Number of vectors of passages, ideas and spans. */
  vectors: number;
  /** Size on disk or on the server. */
  bytes: number;
}

export function vectorsOfPassages({ vectors, memory }: StoreCounts): number {
  return Math.max(0, vectors - (memory.ideas + memory.spans - memory.waiting));
}

export type FacetField = 'repo_name' | 'month' | 'agent' | 'machine' | 'branch' | 'tag' | 'kind' | 'entity';

export type MemoryOf<T extends MemoryPayload['type']> = Extract<MemoryPayload, { type: T }>;

export interface FacetRow {
  value: string;
  count: number;
}

export interface FindQuery extends Phrasing {
  /** Further phrasings, each with its own lists. Of their tokens, at least the rarest MAX_PHRASING_TOKENS count. */
  also?: Phrasing[];
  filter: SessionFilter;
  /** Defaults to `listLimits` for the size of the store. */
  limits?: ListLimits;
  /** Tokens whose document frequencies to return, and where to count them. */
  frequencies?: { of: string[]; among: 'chunks' | 'sessions' };
  /** A recent coverage, to spare the store from counting again. */
  coverage?: Coverage | null;
  /** Also score every chunk of the sessions in `chunksByVector`. */
  chunkScores?: boolean;
  /** Session and intent lists are not needed, and a store may leave them out. */
  chunksOnly?: boolean;
  /** Searches ideas and spans instead of sessions and passages; `filter` is ignored. */
  memory?: MemoryFilter;
}

/** The query for a store that cannot use its vectors. */
export function withoutVectors(query: FindQuery): FindQuery {
  const also = query.also?.map((phrasing) => ({ ...phrasing, vector: null }));
  return { ...query, vector: null, also };
}

export interface Findings {
  lists: RankedLists;
  /** Set if requested; the other lists are then null. */
  memory?: MemoryLists;
  /** Lists of the further phrasings, in the same order. */
  also: RankedLists[];
  model: StoredModel | null;
  /** Coverage of the whole store, whatever the filter. */
  coverage: Coverage;
  /** In how many chunks or sessions each token occurs; a remote store estimates large numbers. */
  frequencies: Map<string, number>;
  /** Cosines, if requested. */
  chunkScores: Hit[];
  /** Why the vector lists were not searched. */
  vectorRefused?: Problem;
  /** Set by a store that answers from a server. `waitsElsewhere`: other machines will embed the pending texts. */
  shared?: { waitsElsewhere: boolean };
}

/** An answer whose lists are all empty. */
export const NOTHING_FOUND: Omit<Findings, 'model' | 'coverage'> = {
  lists: { sessionsByWords: null, chunksByWords: null, chunksByVector: null, intentsByVector: null },
  also: [],
  frequencies: new Map(),
  chunkScores: [],
};

/** A change to a session whose texts are not tokenized yet. */
export interface UntokenizedChange extends Omit<SessionChange, 'upserts' | 'tokens'> {
  upserts: Point<TextPayload>[];
  /** All passages of the session, for its token stream; null when it only grew: `LocalStore.refresh` updates it. */
  points: Point<PassagePayload>[] | null;
}

/**
 * Tokenizes sessions and writes them to the store, possibly in another thread while the caller reads more transcripts. Writes
 * happen in call order.
 */
export interface SessionWriter {
  /** Announces how many bytes of transcripts will follow, so that the writer can prepare. */
  expect(bytes: number): void;
  /** As PointStore.write. */
  write(changes: UntokenizedChange[]): Promise<{ conflicts: string[] }>;
  close(): Promise<void>;
}

/** A writer that runs in the caller's thread. */
export function writeInPlace(store: Pick<PointStore, 'write'>, tokenizer: LexicalTokenizer): SessionWriter {
  return {
    expect: () => undefined,
    write: (changes) => store.write(changes.map((change) => tokenizeChange(change, tokenizer))),
    close: async () => undefined,
  };
}

export function tokenizeChange(
  { upserts, points, ...change }: UntokenizedChange,
  tokenizer: LexicalTokenizer,
): SessionChange {
  const cut = new Map<string, string>();
  const tokensOf = ({ id, payload }: Point<TextPayload>): string | null => {
    const tokens = cut.get(id) ?? lexicalTokens(payload, tokenizer);
    if (tokens !== null) cut.set(id, tokens);
    return tokens;
  };
  return {
    ...change,
    upserts: upserts.map((point) => ({ point, tokens: tokensOf(point) })),
    tokens: points === null ? null : points.map((point) => tokensOf(point) ?? '').join(''),
  };
}

/** See `TextPointChange.tokens`. */
export function lexicalTokens(payload: TextPayload, tokenizer: LexicalTokenizer): string | null {
  if (payload.type === 'intent') return null;
  return tokenizer.stream(payload.type === 'chunk' ? lexicalText(payload) : memoryText(payload));
}

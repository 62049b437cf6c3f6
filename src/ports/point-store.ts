import type { Problem } from '../domain/errors.ts';
import type { MemoryFilter, MemoryLists } from '../domain/memory/memory-search.ts';
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
 * - Throws SmartForkError STORE_UNAVAILABLE when the store cannot be reached, STORE_INCOMPATIBLE when it was filled by
 *   another model, another key or a newer schema.
 */
export interface PointStore {
  info(): Promise<StoreInfo>;
  write(changes: SessionChange[]): Promise<Written>;
  /** Returns how many there were. Also completes the removal of text that a killed process has deleted. */
  deleteSessions(sessionIds: string[]): Promise<number>;
  setTags(sessionId: string, tags: string[]): Promise<void>;

  /** In no particular order. */
  getSessions(sessionIds: string[]): Promise<SessionPayload[]>;
  /** At most `limit` sessions whose id begins with the prefix, by id. */
  findByIdPrefix(prefix: string, limit: number): Promise<SessionPayload[]>;
  /** Points with texts, in no particular order. */
  getPoints(ids: string[], options?: { vectors?: boolean }): Promise<StoredPoint[]>;
  /** Chunks of a session in order; `from` is the first index. */
  getChunks(sessionId: string, from?: number): Promise<ChunkPayload[]>;
  /** Id to content_hash of a session's points with texts: reading them costs a hundredth of reading the texts. */
  getHashes(sessionId: string): Promise<Map<string, string>>;
  /** Newest first by `ended_at`. */
  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage>;
  count(filter?: SessionFilter): Promise<StoreCounts>;
  /** How many sessions have each value, of `kind` and `entity` how many ideas; most frequent first, months in order. */
  facet(field: FacetField, filter?: SessionFilter): Promise<FacetRow[]>;

  /** Everything a search needs, in one round trip to a remote store. */
  find(query: FindQuery): Promise<Findings>;
  /** Ideas or spans, newest first by `ended_at`. */
  listMemory<T extends MemoryPayload['type']>(
    type: T,
    filter: MemoryFilter,
    limit: number,
  ): Promise<MemoryOf<T>[]>;

  /** Points not embedded yet: all intents, then chunks, then ideas and spans; of each, newest sessions first. */
  pointsWithoutVector(limit: number): Promise<Point<TextPayload>[]>;
  /**
   * Skips points whose content_hash has changed. The first call fixes the model.
   * @throws SmartForkError STORE_INCOMPATIBLE for another model.
   */
  setVectors(
    model: { id: string; dimensions: number },
    vectors: { id: string; contentHash: string; vector: Float32Array }[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** A store that answers from a server, or from this machine alone while the server is unreachable. */
export interface SharedStore extends PointStore {
  /** The same store for one search: all its questions share one deadline. */
  forOneSearch(): PointStore;
  /** Notices about the answers since the last call, for example that the server is unreachable. */
  notices(): Notice[];
}

export interface StoreInfo {
  /** Changes when the store is rebuilt: cursors of another store are void. */
  storeId: string;
  /** Null until the first vector is stored. */
  model: StoredModel | null;
  /** Name of the chunk sizes used for its texts. */
  chunking: string | null;
  /** Name of the key its texts are sealed with; null for plain texts. */
  seal: string | null;
  readOnly?: boolean;
}

export interface StoredModel {
  id: string;
  dimensions: number;
}

/**
 * The change of one session. Points that are not named stay as they are.
 * A point whose text stays the same keeps its vector; a session that exists keeps its tags (`setTags` changes them).
 * The session point is written last: it is the commit marker.
 */
export interface SessionChange {
  session: Point<SessionPayload>;
  upserts: TextPointChange[];
  /** Ids of points that no longer exist. */
  deletes: string[];
  /**
   * content_hash of the session point this change is based on, null for a new session. A store that has another one
   * skips the session and reports a conflict.
   */
  expected: string | null;
  /** The session's whole token stream; null keeps the old one until `LocalStore.refresh`. */
  tokens: string | null;
  /** The caller sets the vectors next: a store that embeds need not. */
  vectorsFollow?: boolean;
}

export interface TextPointChange {
  point: Point<TextPayload>;
  /** Space-separated lexical tokens of a chunk without its overlap, of an idea or a span; null for intents. */
  tokens: string | null;
}

export interface Written {
  /** Ids of sessions skipped because of a conflict. */
  conflicts: string[];
  /** Why texts have no vectors, from a store that embeds. */
  vectorsRefused?: Problem;
}

export interface SessionPage {
  sessions: SessionPayload[];
  cursor: string | null;
}

/** Every session that matches, newest first. */
export async function* eachSession(
  store: Pick<PointStore, 'list'>,
  filter: SessionFilter = {},
): AsyncGenerator<SessionPayload> {
  let cursor: string | undefined;
  do {
    const page = await store.list(filter, SESSIONS_PER_PAGE, cursor);
    yield* page.sessions;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}

const SESSIONS_PER_PAGE = 500;

export interface StoreCounts extends Coverage {
  /** Of passages, ideas and spans. */
  vectors: number;
  /** On disk or on the server. */
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
  /** Further phrasings, each with lists of its own. Of their tokens, the rarest MAX_PHRASING_TOKENS are sure to count. */
  also?: Phrasing[];
  filter: SessionFilter;
  /** By default what `listLimits` says for the size of the store. */
  limits?: ListLimits;
  /** Tokens to count, and where. */
  frequencies?: { of: string[]; among: 'chunks' | 'sessions' };
  /** A recent coverage: the store does not count again. */
  coverage?: Coverage | null;
  /** Also score every chunk of the sessions in `chunksByVector`. */
  chunkScores?: boolean;
  /** The lists of sessions and intents are not needed: a store may leave them out. */
  chunksOnly?: boolean;
  /** Searches these ideas and spans instead of sessions and passages; `filter` is not used. */
  memory?: MemoryFilter;
}

/** The query for a store that has no use for its vectors. */
export function withoutVectors(query: FindQuery): FindQuery {
  const also = query.also?.map((phrasing) => ({ ...phrasing, vector: null }));
  return { ...query, vector: null, ...(also && { also }) };
}

export interface Findings {
  lists: RankedLists;
  /** If asked for; the other lists are null then. */
  memory?: MemoryLists;
  /** Of the further phrasings, in their order. */
  also: RankedLists[];
  model: StoredModel | null;
  /** Of the whole store, whatever the filter. */
  coverage: Coverage;
  /** In how many chunks or sessions each token occurs; a remote store estimates large numbers. */
  frequencies: Map<string, number>;
  /** Cosines, if asked for. */
  chunkScores: Hit[];
  /** Sessions and passages of the best hits, if they come in the same round trip. */
  sessions: SessionPayload[];
  points: Point<TextPayload>[];
  /** Why the vector lists were not searched. */
  vectorRefused?: Problem;
  /** Set by a store that answers from a server; `waitsElsewhere`: other machines will embed the pending texts. */
  shared?: { waitsElsewhere: boolean };
}

/** An answer with nothing in any list. */
export const NOTHING_FOUND: Omit<Findings, 'model' | 'coverage'> = {
  lists: { sessionsByWords: null, chunksByWords: null, chunksByVector: null, intentsByVector: null },
  also: [],
  frequencies: new Map(),
  chunkScores: [],
  sessions: [],
  points: [],
};

/** A change of a session before its texts are tokenized. */
export interface UntokenizedChange extends Omit<SessionChange, 'upserts' | 'tokens'> {
  upserts: Point<TextPayload>[];
  /** All passages of the session, for its token stream; null when it only grew: `LocalStore.refresh` updates it. */
  points: Point<PassagePayload>[] | null;
}

/**
 * Tokenizes sessions and writes them into the store, possibly in another thread while the caller reads the next transcripts. Writes
 * happen in the order of the calls.
 */
export interface SessionWriter {
  /** How many bytes of transcripts will follow, so that the writer can prepare. */
  expect(bytes: number): void;
  /** As PointStore.write. */
  write(changes: UntokenizedChange[]): Promise<{ conflicts: string[] }>;
  close(): Promise<void>;
}

/** Writes in the caller's thread. */
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

/** See TextPointChange. */
export function lexicalTokens(payload: TextPayload, tokenizer: LexicalTokenizer): string | null {
  if (payload.type === 'intent') return null;
  return tokenizer.stream(payload.type === 'chunk' ? lexicalText(payload) : memoryText(payload));
}

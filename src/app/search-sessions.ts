import { confidence, coverage, RECOMMENDED_FROM, tellingWords, weighWords } from '../domain/confidence.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { LexicalTokenizer } from '../domain/lexical.ts';
import { PARTS, type RankedSession, rankSessions, weightsFor } from '../domain/ranking.ts';
import type { Notice, SearchResponse, SearchResult } from '../domain/result.ts';
import type { RankedLists, RankingName, SearchMode, SessionFilter } from '../domain/search.ts';
import type { Embedder, ModelState } from '../ports/embedder.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { ArchiveReader } from '../ports/session-archive.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { countFilters } from './count-filters.ts';
import { type Presented, presentResult } from './present-result.ts';
import { rankByPrd } from './rank-by-prd.ts';

export interface SearchDependencies {
  store: PointStore;
  /** Asked only when the query must be embedded. */
  embedder: () => Promise<Embedder>;
  modelState: () => Promise<ModelState>;
  tokenizer: LexicalTokenizer;
  sources: TranscriptSource[];
  machine: ThisMachine;
  archives: ArchiveReader[];
}

export interface SearchRequest {
  query: string;
  filter?: SessionFilter;
  /** 1 to 200. */
  limit?: number;
  /** Results below this score are left out. */
  minScore?: number;
  mode?: SearchMode;
  ranking?: RankingName;
}

/** Tokens of the query that are asked for: those of the highest IDF. */
const MOST_TOKENS = 64;
const LONGEST_QUERY = 4000;
/** From this many sessions on, longer lists keep one long session from filling them. */
const MANY_SESSIONS = 2000;
/** Below this share of points with a vector, a vector list says more of what was embedded than of what fits. */
const ENOUGH_VECTORS = 0.5;
const WEAK_CONFIDENCE = 0.3;

/**
 * Finds the sessions to fork from. Never fails for what the query says: it is words, not syntax.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE; MODEL_UNAVAILABLE only in mode `dense`.
 */
export async function searchSessions(
  deps: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResponse> {
  const started = Date.now();
  const query = request.query.slice(0, LONGEST_QUERY).toWellFormed();
  const filter = request.filter ?? {};
  const now = filter.asOf === undefined ? deps.machine.now() : Date.parse(filter.asOf);
  const notices: Notice[] = [];
  if ((await deps.store.info()).readOnly === true) notices.push(readOnlyStore());
  const plan = await planMode(deps, request.mode ?? 'hybrid', notices);
  const words = tellingWords(deps.tokenizer.words(query));
  const tokens = plan.mode === 'dense' ? null : await pickTokens(deps, query);
  const lists = await askStore(deps, tokens, plan, query, filter);

  const statistics = await deps.store.tokenStatistics(words.map(({ stem }) => stem));
  const stems = weighWords(words, statistics.chunkCount, statistics.chunksWith);
  const prd = request.ranking === 'prd' && plan.vector !== null;
  if (request.ranking === 'prd' && !prd) notices.push(prdNeedsVectors());
  const byDefault = rankSessions(lists, weightsFor(lists), now);
  const ranked =
    prd && plan.vector ? await rankByPrd(deps.store, lists, plan.vector, now) : toPresented(byDefault, lists);
  const wanted = ranked.filter(({ score }) => score >= (request.minScore ?? 0)).slice(0, request.limit ?? 5);
  const certainty = await certaintyOf(deps, byDefault, stems);
  // The confidence is the default ranking's: of another first session it says nothing.
  const isItsFirst = wanted[0]?.session_id === byDefault[0]?.session_id;
  const results = await present(deps, wanted, stems, isItsFirst ? certainty : 0);
  const weak = results.length === 0 || certainty < WEAK_CONFIDENCE;
  const blame = results.length === 0 ? await blameFilters(deps, filter, ranked.length, request.minScore) : {};
  return {
    query,
    mode: plan.mode,
    ranking: prd ? 'prd' : 'default',
    confidence: results.length === 0 ? null : Math.round(100 * certainty),
    notices: [...(deps.store.notices?.() ?? []), ...notices],
    took_ms: Date.now() - started,
    results,
    ...blame,
    ...(weak && {
      words: words.map(({ word, stem }) => ({ word, sessions: statistics.sessionsWith.get(stem) ?? 0 })),
    }),
  };
}

function readOnlyStore(): Notice {
  return {
    code: 'READ_ONLY',
    message: 'the index cannot be written: sessions that came since are missing',
    hint: 'smart-fork doctor',
  };
}

/** What kept everything out, when filters were given. */
async function blameFilters(
  { store }: SearchDependencies,
  filter: SessionFilter,
  matches: number,
  minScore = 0,
): Promise<Pick<SearchResponse, 'filters' | 'sessions'>> {
  const filters = await countFilters(store, filter);
  if (matches > 0) filters.push({ filter: 'min_score', value: String(minScore), sessions: 0, of: matches });
  return filters.length === 0 ? {} : { filters, sessions: (await store.count()).sessions };
}

interface ModePlan {
  mode: SearchMode;
  vector: Float32Array | null;
  chunks: boolean;
  intents: boolean;
  limits: { sessions: number; chunks: number; intents: number };
}

/** What can be asked: vectors need the model here and enough points that have one. Says in one line what is missing. */
async function planMode(deps: SearchDependencies, wanted: SearchMode, notices: Notice[]): Promise<ModePlan> {
  const [counts, waiting] = await Promise.all([deps.store.count(), deps.store.countWithoutVector()]);
  const chunks = counts.chunks - waiting.chunks > counts.chunks * ENOUGH_VECTORS;
  const intents = counts.intents - waiting.intents > counts.intents * ENOUGH_VECTORS;
  const many = counts.sessions > MANY_SESSIONS ? 1000 : 200;
  const limits = { sessions: 100, chunks: many, intents: many };
  const keyword: ModePlan = { mode: 'keyword', vector: null, chunks: false, intents: false, limits };
  if (wanted === 'keyword') return keyword;
  const model = await deps.modelState();
  if (model.state !== 'ready') {
    if (wanted === 'dense') throw modelUnavailable(model.reason);
    notices.push({
      code: 'KEYWORD_ONLY',
      message: 'keyword only: the model is not installed',
      hint: 'smart-fork model pull',
    });
    return keyword;
  }
  if (!chunks && !intents) {
    if (wanted === 'dense')
      throw modelUnavailable('no session has been embedded yet', 'Run smart-fork index.');
    if (counts.sessions > 0) {
      notices.push({
        code: 'NO_VECTORS',
        message: 'keyword only: nothing is embedded yet',
        hint: 'smart-fork index',
      });
    }
    return keyword;
  }
  const left = waiting.chunks + waiting.intents;
  if (left > 0) {
    const message = `${left} of ${counts.chunks + counts.intents} passages still wait for embeddings`;
    notices.push({ code: 'EMBEDDINGS_WAITING', message, hint: 'smart-fork index' });
  }
  return { mode: wanted, vector: null, chunks, intents, limits };
}

function modelUnavailable(
  reason: string,
  hint = 'Run smart-fork model pull, or search with --mode keyword.',
): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot search by meaning: ${reason}`, { hint });
}

async function pickTokens(deps: SearchDependencies, query: string): Promise<string[]> {
  const tokens = deps.tokenizer.tokens(query);
  if (tokens.length <= MOST_TOKENS) return tokens;
  const { chunksWith } = await deps.store.tokenStatistics(tokens, 'chunks');
  const known = tokens.filter((token) => (chunksWith.get(token) ?? 0) > 0);
  return known.sort((a, b) => (chunksWith.get(a) ?? 0) - (chunksWith.get(b) ?? 0)).slice(0, MOST_TOKENS);
}

async function askStore(
  deps: SearchDependencies,
  tokens: string[] | null,
  plan: ModePlan,
  query: string,
  filter: SessionFilter,
): Promise<RankedLists> {
  if (plan.mode !== 'keyword') plan.vector = await embedQuery(deps, query);
  const { limits, vector } = plan;
  const lists = await deps.store.search({ tokens, vector, filter, limits });
  return {
    ...lists,
    chunksByVector: plan.chunks ? lists.chunksByVector : null,
    intentsByVector: plan.intents ? lists.intentsByVector : null,
  };
}

async function embedQuery(deps: SearchDependencies, query: string): Promise<Float32Array> {
  const [embedder, info] = await Promise.all([deps.embedder(), deps.store.info()]);
  if (info.model !== null && info.model.id !== embedder.model.id)
    throw otherModel(info.model.id, embedder.model.id);
  return embedder.embedQuery(query);
}

function otherModel(stored: string, wanted: string): SmartForkError {
  return new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store was filled by ${stored}, but the model is now ${wanted}`,
    {
      hint: `Use ${stored} again (SMART_FORK_MODEL_DIR or embedding.model), search with --mode keyword, or rebuild: smart-fork reindex`,
    },
  );
}

function prdNeedsVectors(): Notice {
  return {
    code: 'PRD_NEEDS_VECTORS',
    message: 'ranked by the default formula: the PRD formula needs embeddings',
    hint: 'smart-fork model pull',
  };
}

function toPresented(ranked: RankedSession[], lists: RankedLists): Presented[] {
  const weights = weightsFor(lists);
  return ranked.map(({ session_id, score, parts, best }) => ({
    session_id,
    score,
    best,
    scores: {
      parts: Object.fromEntries(PARTS.map((part) => [part, parts[part]])),
      weights: Object.fromEntries(PARTS.map((part) => [part, weights[part]])),
    },
  }));
}

/** The probability that the first session of the default ranking is the right one. */
async function certaintyOf(
  deps: SearchDependencies,
  ranked: RankedSession[],
  stems: Map<string, number>,
): Promise<number> {
  const bySimilarity = ranked.toSorted((a, b) => b.similarity - a.similarity);
  const first = ranked[0];
  if (first === undefined) return 0;
  const second = bySimilarity.find(({ session_id }) => session_id !== first.session_id);
  const ids = [first.best.chunkByWords, first.best.chunkByVector].flatMap((hit) =>
    hit === null ? [] : [hit.point_id],
  );
  const texts = (await deps.store.getPoints(ids)).map(({ payload }) =>
    payload.type === 'chunk' ? payload.content : '',
  );
  const gap = first.similarity - (second?.similarity ?? 0);
  return confidence(coverage(texts, stems, deps.tokenizer), gap);
}

async function present(
  deps: SearchDependencies,
  ranked: Presented[],
  stems: Map<string, number>,
  certainty: number,
): Promise<SearchResult[]> {
  const sessions = await deps.store.getSessions(ranked.map(({ session_id }) => session_id));
  const ids = ranked.flatMap(({ best }) =>
    [best.chunkByWords, best.chunkByVector, best.intent].flatMap((hit) => hit?.point_id ?? []),
  );
  const points = new Map((await deps.store.getPoints(ids)).map(({ id, payload }) => [id, payload]));
  return ranked.flatMap((one, index) => {
    const session = sessions.find(({ session_id }) => session_id === one.session_id);
    if (session === undefined) return [];
    const recommended = index === 0 && certainty >= RECOMMENDED_FROM;
    return [presentResult(deps, one, session, points, stems, { rank: index + 1, recommended })];
  });
}

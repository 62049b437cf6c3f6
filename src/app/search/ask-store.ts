import { SmartForkError } from '../../domain/errors.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import {
  type Coverage,
  listLimits,
  type QueryVector,
  type RankedLists,
  type SearchMode,
  type SessionFilter,
} from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import type { ModelState, QueryEmbedder } from '../../ports/embedder.ts';
import { type Refusal, refusalOf } from '../../ports/embedder.ts';
import type { PointStore, Reading } from '../../ports/point-store.ts';
import { coverageIn } from './coverage-in.ts';

export interface AskDependencies {
  store: PointStore;
  /** For the query; asked only when it must be embedded. */
  embedder: () => Promise<QueryEmbedder>;
  modelState: () => Promise<ModelState>;
  tokenizer: LexicalTokenizer;
}

export interface Question {
  query: string;
  filter: SessionFilter;
  mode: SearchMode;
  /** Stems of the words that count. */
  words: string[];
}

export interface Asked {
  mode: SearchMode;
  lists: RankedLists;
  /** The query's, if it was asked by vectors. */
  vector: QueryVector | null;
  notices: Notice[];
}

/** Tokens of the query that are asked for: those of the highest IDF. */
const MOST_TOKENS = 64;
/** Of a store that is far away, to which more tokens cost less than asking which of them are rare. */
const MOST_TOKENS_AT_ONCE = 256;
/** Below this share of points with a vector, a vector list says more of what was embedded than of what fits. */
const ENOUGH_VECTORS = 0.5;

/**
 * The ranked lists, as far as they can be asked: vectors need what embeds the query, here or on the server, and enough points that have one.
 * @throws SmartForkError MODEL_UNAVAILABLE in mode `dense`; STORE_INCOMPATIBLE where another model filled the store.
 */
export async function askStore(
  deps: AskDependencies,
  reading: Reading | null,
  question: Question,
): Promise<Asked> {
  return reading === null ? askInSteps(deps, question) : askAtOnce(deps, reading, question);
}

async function askInSteps(deps: AskDependencies, question: Question): Promise<Asked> {
  const { query, filter } = question;
  const coverage = await coverageIn(deps.store);
  const model = await deps.modelState();
  const elsewhere = await waitsElsewhere(deps.store, coverage, model);
  const plan = planMode(coverage, { model, elsewhere }, question.mode);
  const tokens = plan.mode === 'dense' ? null : await pickTokens(deps, query, MOST_TOKENS);
  const vector =
    plan.mode === 'keyword' ? null : await embedQuery(deps, query, (await deps.store.info()).model);
  const limits = listLimits(coverage.sessions);
  const lists = await deps.store.search({ tokens, vector, filter, limits });
  return { ...plan, vector, lists: usable(lists, plan) };
}

/** A store that is far away is asked for everything that may be wanted; what then proves to be of no use is left out. */
async function askAtOnce(deps: AskDependencies, reading: Reading, question: Question): Promise<Asked> {
  const { query, filter, words } = question;
  const model = await deps.modelState();
  const wantsVector = question.mode !== 'keyword' && !isMissing(model);
  const embedder = wantsVector ? await deps.embedder() : null;
  const vector = embedder === null ? null : await embedder.embedQuery(query);
  const tokens =
    question.mode === 'dense' && vector !== null ? null : await pickTokens(deps, query, MOST_TOKENS_AT_ONCE);
  const found = await reading.begin({ tokens, vector, filter, words });
  const { lists, coverage, model: stored } = found;
  const other = embedder === null ? null : otherModelIn(stored, embedder);
  if (other !== null && question.mode === 'dense') throw other;
  const refused = other === null ? found.vectorRefused : refusalOf(other);
  const elsewhere = await waitsElsewhere(deps.store, coverage, model);
  const plan = planMode(coverage, { model, elsewhere }, question.mode, refused);
  if (plan.mode === 'keyword' || embedder === null)
    return { ...plan, vector: null, lists: usable(lists, plan) };
  return { ...plan, vector, lists: usable(lists, plan) };
}

interface ModePlan {
  mode: SearchMode;
  chunks: boolean;
  intents: boolean;
  notices: Notice[];
}

/** What can be asked, and in one line what is missing. */
function planMode(
  { waiting, ...counts }: Coverage,
  { model, elsewhere }: { model: ModelState; elsewhere: boolean },
  wanted: SearchMode,
  refused?: Refusal,
): ModePlan {
  const chunks = counts.chunks - waiting.chunks > counts.chunks * ENOUGH_VECTORS;
  const intents = counts.intents - waiting.intents > counts.intents * ENOUGH_VECTORS;
  const keyword = (...notices: Notice[]): ModePlan => ({
    mode: 'keyword',
    chunks: false,
    intents: false,
    notices,
  });
  if (wanted === 'keyword') return keyword();
  if (isMissing(model)) {
    if (wanted === 'dense') throw modelUnavailable(model.reason);
    const message = 'keyword only: the model is not installed';
    return keyword({ code: 'KEYWORD_ONLY', message, hint: 'smart-fork model pull' });
  }
  if (refused !== undefined) {
    const hint = refused.hint ?? undefined;
    if (wanted === 'dense') throw modelUnavailable(refused.message, hint);
    const message = `keyword only: ${refused.message}`;
    return keyword({ code: 'NOT_EMBEDDED', message, ...(hint !== undefined && { hint }) });
  }
  const left = waiting.chunks + waiting.intents;
  const share = `${left} of ${counts.chunks + counts.intents} passages`;
  // To index here would do nothing for those.
  const there = `${share} on the server wait for the worker of a machine with the model`;
  if (!chunks && !intents) {
    if (wanted === 'dense')
      throw elsewhere
        ? modelUnavailable(there, 'Search with --mode keyword until then.')
        : modelUnavailable('no session has been embedded yet', 'Run smart-fork index.');
    if (counts.sessions === 0) return keyword();
    if (elsewhere) return keyword({ code: 'NO_VECTORS', message: `keyword only: ${there}` });
    const message = 'keyword only: nothing is embedded yet';
    return keyword({ code: 'NO_VECTORS', message, hint: 'smart-fork index' });
  }
  const message = elsewhere ? there : `${share} still wait for embeddings`;
  const hint = elsewhere ? {} : { hint: 'smart-fork index' };
  const notices: Notice[] = left > 0 ? [{ code: 'EMBEDDINGS_WAITING', message, ...hint }] : [];
  return { mode: wanted, chunks, intents, notices };
}

/** Whether what has no vector is on a server alone, where another machine sent it. One that embeds does so when this machine indexes. */
async function waitsElsewhere(store: PointStore, { waiting }: Coverage, model: ModelState): Promise<boolean> {
  if (model.state !== 'ready' || waiting.chunks + waiting.intents === 0) return false;
  return (await store.needsIndexing?.()) === false;
}

function isMissing(model: ModelState): model is Extract<ModelState, { reason: string }> {
  return model.state === 'absent' || model.state === 'broken';
}

function usable(lists: RankedLists, { chunks, intents }: ModePlan): RankedLists {
  return {
    ...lists,
    chunksByVector: chunks ? lists.chunksByVector : null,
    intentsByVector: intents ? lists.intentsByVector : null,
  };
}

function modelUnavailable(
  reason: string,
  hint = 'Run smart-fork model pull, or search with --mode keyword.',
): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot search by meaning: ${reason}`, { hint });
}

async function pickTokens(deps: AskDependencies, query: string, most: number): Promise<string[]> {
  const tokens = deps.tokenizer.tokens(query);
  if (tokens.length <= most) return tokens;
  const { chunksWith } = await deps.store.tokenStatistics(tokens, 'chunks');
  const known = tokens.filter((token) => (chunksWith.get(token) ?? 0) > 0);
  return known.sort((a, b) => (chunksWith.get(a) ?? 0) - (chunksWith.get(b) ?? 0)).slice(0, MOST_TOKENS);
}

async function embedQuery(
  deps: AskDependencies,
  query: string,
  stored: { id: string } | null,
): Promise<QueryVector> {
  const embedder = await deps.embedder();
  checkModel(stored, embedder);
  return embedder.embedQuery(query);
}

function checkModel(stored: { id: string } | null, embedder: QueryEmbedder): void {
  const other = otherModelIn(stored, embedder);
  if (other !== null) throw other;
}

function otherModelIn(stored: { id: string } | null, { model }: QueryEmbedder): SmartForkError | null {
  return stored === null || stored.id === model.id ? null : otherModel(stored.id, model.id);
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

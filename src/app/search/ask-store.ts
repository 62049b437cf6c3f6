import { problemOf, SmartForkError } from '../../domain/errors.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { Phrasing, SearchMode, SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import type { Embedding, QueryEmbedder } from '../../ports/embedder.ts';
import type { Findings, PointStore } from '../../ports/point-store.ts';
import { isMissing, planMode, usableLists } from './plan-mode.ts';

export interface AskDependencies {
  store: PointStore;
  /** `queries` is called only if the query must be embedded. */
  embedding: Pick<Embedding, 'state' | 'queries' | 'embedder' | 'lastFolder'>;
  tokenizer: LexicalTokenizer;
}

export interface Question {
  query: string;
  /** The query's further phrasings. */
  also: string[];
  filter: SessionFilter;
  mode: SearchMode;
  /** Stems whose document frequencies to return. */
  stems: string[];
  chunkScores: boolean;
  /** See FindQuery. */
  chunksOnly?: boolean;
  /** Also asks what this filter finds. */
  among?: SessionFilter;
}

export interface Asked {
  mode: SearchMode;
  /** Contains only usable lists. */
  found: Findings;
  /** The same for `among`. */
  among: Pick<Findings, 'lists' | 'also'> | undefined;
  /** Whether vectors were compared. */
  byMeaning: boolean;
  notices: Notice[];
}

/**
 * Asks the store for everything that a search may need in one request, and drops unusable lists.
 * @param along asks something else in the same round trip.
 * @throws SmartForkError MODEL_UNAVAILABLE in mode `dense`; MODEL_MISMATCH if another model filled the store.
 */
export async function askStore<T = undefined>(
  deps: AskDependencies,
  question: Question,
  along?: () => Promise<T>,
): Promise<Asked & { along: T | undefined }> {
  const { query, also, filter, mode, stems, chunkScores, chunksOnly = false, among } = question;
  const model = await deps.embedding.state();
  const embedder = mode === 'keyword' || isMissing(model) ? null : await deps.embedding.queries();
  const withWords = mode !== 'dense' || embedder === null;
  const phrase = async (text: string, byMeaning: boolean): Promise<Phrasing> => ({
    tokens: withWords ? deps.tokenizer.tokens(text) : null,
    vector: byMeaning && embedder !== null ? await embedder.embedQuery(text) : null,
  });
  // With keyword lists, vectors of further phrasings cost much and gain nothing (docs/internals/ranking.md).
  const others = also.map((text) => phrase(text, !withWords));
  const [phrased, ...further] = await Promise.all([phrase(query, true), ...others]);
  const frequencies = { of: stems, among: 'chunks' as const };
  const [found, wider, alongside] = await Promise.all([
    deps.store.find({ ...phrased, also: further, filter, frequencies, chunkScores, chunksOnly }),
    among && deps.store.find({ ...phrased, also: further, filter: among }),
    along?.(),
  ]);
  const other = otherModel(found, embedder);
  if (other !== null && mode === 'dense') throw other;
  const plan = planMode({
    wanted: mode,
    coverage: found.coverage,
    model,
    indexed: found.model?.id ?? null,
    isShared: found.shared !== undefined,
    lastFolder: (id) => deps.embedding.lastFolder?.(id) ?? null,
    waitsElsewhere: model.state === 'ready' && found.shared?.waitsElsewhere === true,
    refused: other !== null && found.shared ? problemOf(other) : (found.vectorRefused ?? null),
  });
  if (other !== null && plan.mode !== 'keyword') throw other;
  const usable = ({ lists, also: others }: Pick<Findings, 'lists' | 'also'>) => ({
    lists: usableLists(lists, plan),
    also: others.map((one) => usableLists(one, plan)),
  });
  return {
    ...plan,
    found: { ...found, ...usable(found) },
    among: wider && usable(wider),
    byMeaning: plan.mode !== 'keyword',
    along: alongside,
  };
}

/** Vectors of different models cannot be compared. */
function otherModel({ model }: Findings, embedder: QueryEmbedder | null): SmartForkError | null {
  if (model === null || embedder === null || model.id === embedder.model.id) return null;
  return new SmartForkError(
    'MODEL_MISMATCH',
    `the store was filled by ${model.id}, but the model is now ${embedder.model.id}`,
    {
      hint: `Use ${model.id} again (SMART_FORK_MODEL_DIR or embedding.model), search with --mode keyword, or rebuild: smart-fork reindex`,
    },
  );
}

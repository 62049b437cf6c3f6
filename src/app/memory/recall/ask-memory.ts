import type { MemoryFilter, MemoryLists } from '../../../domain/memory/memory-search.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { QueryVector, RankedLists, SessionFilter } from '../../../domain/search/search.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { Embedding } from '../../../ports/embedder.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';
import { isMissing } from '../../search/plan-mode.ts';

interface AskMemoryDependencies {
  store: PointStore;
  embedding: Pick<Embedding, 'state' | 'queries'>;
  tokenizer: LexicalTokenizer;
}

export interface AskedMemory {
  memory: MemoryLists;
  lists: RankedLists;
  found: Findings;
  mode: 'keyword' | 'hybrid';
  notices: Notice[];
}

const LIMITS = { sessions: 60, chunks: 100, intents: 1 };
/** With fewer texts embedded, a vector list shows what was embedded rather than what matches. */
const ENOUGH_VECTORS = 0.5;

/** Asks the store for matching ideas and spans, and for the passages that they come from. */
export async function askMemory(
  deps: AskMemoryDependencies,
  question: { text: string; stems: string[]; memory: MemoryFilter; filter: SessionFilter },
): Promise<AskedMemory> {
  const { store, tokenizer } = deps;
  const { text, stems, memory, filter } = question;
  const phrase = { tokens: tokenizer.tokens(text), vector: await vectorOf(deps, text) };
  const frequencies = { of: stems, among: 'chunks' as const };
  const [ofMemory, found] = await Promise.all([
    store.find({ ...phrase, filter: {}, memory }),
    store.find({ ...phrase, filter, limits: LIMITS, frequencies }),
  ]);
  const { coverage } = found;
  const { ideas, spans, waiting } = coverage.memory;
  const hasVectors = ideas + spans - waiting > (ideas + spans) * ENOUGH_VECTORS;
  const hasChunks = coverage.chunks - coverage.waiting.chunks > coverage.chunks * ENOUGH_VECTORS;
  const lists = ofMemory.memory ?? NONE;
  const usable = hasVectors ? lists : { ...lists, ideasByVector: null, spansByVector: null };
  return {
    memory: usable,
    lists: { ...found.lists, chunksByVector: hasChunks ? found.lists.chunksByVector : null },
    found,
    mode: usable.ideasByVector === null ? 'keyword' : 'hybrid',
    notices:
      ideas > 0 || coverage.sessions === 0
        ? []
        : [
            {
              code: 'NO_MEMORY',
              message: 'no decisions or findings yet: only passages were searched',
              hint: 'smart-fork index',
            },
          ],
  };
}

const NONE: MemoryLists = { ideasByWords: [], ideasByVector: null, spansByWords: [], spansByVector: null };

/** Null without a model, or if the store has another model's vectors: keywords find most of it anyway. */
async function vectorOf(
  { store, embedding }: AskMemoryDependencies,
  text: string,
): Promise<QueryVector | null> {
  if (isMissing(await embedding.state())) return null;
  const embedder = await embedding.queries();
  const { model } = await store.info();
  return model !== null && model.id === embedder.model.id ? embedder.embedQuery(text) : null;
}

import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { LocateDependencies } from '../sessions/locate-session.ts';
import { presentResult } from './present-result.ts';

/** The newest sessions as search results, to browse. */
export async function recentResults(
  deps: LocateDependencies & { store: PointStore; tokenizer: LexicalTokenizer },
  filter: SessionFilter,
  limit: number,
): Promise<SearchResult[]> {
  const { sessions } = await deps.store.list(filter, limit);
  const best = { chunkByWords: null, chunkByVector: null, intent: null };
  const results = tellApart(sessions).map((session, index) =>
    presentResult(
      deps,
      { session_id: session.session_id, score: 0, best, scores: { parts: {}, weights: {} } },
      session,
      new Map(),
      new Map(),
      { rank: index + 1, certainty: null },
    ),
  );
  return Promise.all(results);
}

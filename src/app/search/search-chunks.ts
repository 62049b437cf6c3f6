import type { ChunkPayload } from '../../domain/point/point.ts';
import type { Hit, RankedLists, SessionFilter } from '../../domain/search/search.ts';
import { type AskDependencies, askStore } from './ask-store.ts';

interface FoundChunk {
  id: string;
  score: number;
  chunk: ChunkPayload;
}

/** The chunks that match a query best, from any session. */
export async function searchChunks(
  deps: AskDependencies,
  { query, filter, limit }: { query: string; filter: SessionFilter; limit: number },
): Promise<FoundChunk[]> {
  const { found } = await askStore(deps, {
    query,
    filter,
    also: [],
    mode: 'hybrid',
    stems: [],
    chunkScores: false,
    chunksOnly: true,
  });
  const ranked = fuse(found.lists).slice(0, limit);
  const points = await deps.store.getPoints(ranked.map(({ id }) => id));
  const chunks = new Map(
    points.flatMap(({ id, payload }) => (payload.type === 'chunk' ? [[id, payload] as const] : [])),
  );
  return ranked.flatMap(({ id, score }) => {
    const chunk = chunks.get(id);
    return chunk === undefined ? [] : [{ id, score, chunk }];
  });
}

/** From Cormack, Clarke and Büttcher (2009). */
const RRF_K = 60;

/** Reciprocal rank fusion of both chunk lists, scaled so that first place in both gives 1. */
function fuse({ chunksByWords, chunksByVector }: RankedLists): { id: string; score: number }[] {
  const lists = [chunksByWords, chunksByVector].filter((list) => list !== null);
  const scores = new Map<string, number>();
  const add = (list: Hit[]) => {
    for (const [rank, { point_id: id }] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + (RRF_K + 1) / (RRF_K + 1 + rank) / lists.length);
  };
  for (const list of lists) add(list);
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}

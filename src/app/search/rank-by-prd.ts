import { PRD_WEIGHTS, prdScore } from '../../domain/search/ranking-prd.ts';
import type { Hit, QueryVector, RankedLists } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { Presented } from './present-result.ts';

/** Ranks the sessions of the nearest chunks by the formula of the requirements document. */
export async function rankByPrd(
  store: PointStore,
  lists: RankedLists,
  vector: QueryVector,
  now: number,
): Promise<Presented[]> {
  const nearest = lists.chunksByVector ?? [];
  const ids = [...new Set(nearest.map(({ session_id }) => session_id))];
  const sessions = await store.getSessions(ids);
  const similarities = new Map<string, Hit[]>();
  for (const hit of await store.scoreChunks(ids, vector)) {
    const hits = similarities.get(hit.session_id);
    if (hits === undefined) similarities.set(hit.session_id, [hit]);
    else hits.push(hit);
  }
  const ranked = sessions.map((session): Presented => {
    const hits = similarities.get(session.session_id) ?? [];
    const { score, parts, boost } = prdScore(
      hits.map((hit) => hit.score),
      session.ended_at,
      session.markers,
      now,
    );
    const best = nearest.find(({ session_id }) => session_id === session.session_id) ?? null;
    return {
      session_id: session.session_id,
      score,
      best: { chunkByWords: null, chunkByVector: best, intent: null },
      scores: { parts: { ...parts, marker_boost: boost }, weights: { ...PRD_WEIGHTS } },
    };
  });
  return ranked.sort((a, b) => b.score - a.score || (a.session_id < b.session_id ? -1 : 1));
}

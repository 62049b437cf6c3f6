import { PRD_WEIGHTS, prdScore } from '../../../domain/search/ranking-prd.ts';
import type { Hit } from '../../../domain/search/search.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';
import type { Presented } from '../present-result.ts';

/** Ranks the sessions of the nearest chunks by the formula in the requirements document. */
export async function rankByPrd(
  store: PointStore,
  { lists, chunkScores }: Findings,
  now: number,
): Promise<Presented[]> {
  const nearest = lists.chunksByVector ?? [];
  const sessions = await store.getSessions([...new Set(nearest.map(({ session_id }) => session_id))]);
  const similarities = new Map<string, number[]>();
  for (const { session_id, score } of chunkScores) {
    const scores = similarities.get(session_id);
    if (scores === undefined) similarities.set(session_id, [score]);
    else scores.push(score);
  }
  const best = new Map<string, Hit>();
  for (const hit of nearest) if (!best.has(hit.session_id)) best.set(hit.session_id, hit);
  const ranked = sessions.map(({ session_id, ended_at, markers }): Presented => {
    const { score, parts, boost } = prdScore(similarities.get(session_id) ?? [], ended_at, markers, now);
    return {
      session_id,
      score,
      best: { chunkByWords: null, chunkByVector: best.get(session_id) ?? null, intent: null },
      scores: { parts: { ...parts, marker_boost: boost }, weights: { ...PRD_WEIGHTS } },
    };
  });
  return ranked.sort((a, b) => b.score - a.score || (a.session_id < b.session_id ? -1 : 1));
}

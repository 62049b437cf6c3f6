import type { Formula } from '../../../domain/search/ranking.ts';
import { PRD_WEIGHTS, prdScore } from '../../../domain/search/ranking-prd.ts';
import type { Hit } from '../../../domain/search/search.ts';
import type { ThisMachine } from '../../../ports/machine.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';
import type { TranscriptSource } from '../../../ports/transcript-source.ts';
import { chainQualities } from '../../fork/fork-tree.ts';
import type { Presented } from '../present-result.ts';

interface PrdDependencies {
  store: PointStore;
  sources: TranscriptSource[];
  machine: ThisMachine;
  formula: Formula;
}

/** Ranks the sessions of the nearest chunks by the formula in the requirements document; those below its threshold are left out. */
export async function rankByPrd(
  { formula, ...deps }: PrdDependencies,
  { lists, chunkScores }: Findings,
  now: number,
): Promise<Presented[]> {
  const nearest = lists.chunksByVector ?? [];
  const ids = [...new Set(nearest.map(({ session_id }) => session_id))];
  const sessions = await deps.store.getSessions(ids);
  const qualities = await chainQualities(deps, sessions);
  const similarities = new Map<string, number[]>();
  for (const { session_id, score } of chunkScores) {
    const scores = similarities.get(session_id);
    if (scores === undefined) similarities.set(session_id, [score]);
    else scores.push(score);
  }
  const best = new Map<string, Hit>();
  for (const hit of nearest) if (!best.has(hit.session_id)) best.set(hit.session_id, hit);
  const ranked = sessions.flatMap(({ session_id, ended_at, markers }): Presented[] => {
    const session = {
      similarities: similarities.get(session_id) ?? [],
      endedAt: ended_at,
      markers,
      chainQuality: qualities.get(session_id) ?? null,
    };
    const { score, parts, boost } = prdScore(session, now, formula);
    if (formula.threshold !== null && parts.best_similarity < formula.threshold) return [];
    return [
      {
        session_id,
        score,
        best: { chunkByWords: null, chunkByVector: best.get(session_id) ?? null, intent: null },
        scores: { parts: { ...parts, marker_boost: boost }, weights: { ...PRD_WEIGHTS } },
      },
    ];
  });
  return ranked.sort((a, b) => b.score - a.score || (a.session_id < b.session_id ? -1 : 1));
}

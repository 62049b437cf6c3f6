import type { Presented } from '../present-result.ts';
import type { LookedUp } from './look-up-sessions.ts';

/** The sessions that were looked up, followed by the others as ranked. */
export function withLookedUp(ranked: Presented[], lookedUp: LookedUp[]): Presented[] {
  if (lookedUp.length === 0) return ranked;
  const known = new Map(ranked.map((one) => [one.session_id, one]));
  const first = lookedUp.map(({ session_id, found_by }): Presented => {
    const best = { chunkByWords: null, chunkByVector: null, intent: null };
    const nothing = { session_id, score: 0, best, scores: { parts: {}, weights: {} } };
    return { ...(known.get(session_id) ?? nothing), found_by };
  });
  const taken = new Set(first.map(({ session_id }) => session_id));
  return [...first, ...ranked.filter(({ session_id }) => !taken.has(session_id))];
}

import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Presented } from '../present-result.ts';

/**
 * Folds related sessions (forks and their ancestors) into the one that ranks highest. Sessions named in the query are not
 * folded.
 */
export function foldFamilies(ranked: Presented[], sessions: Map<string, SessionPayload>): Presented[] {
  const folded = new Map<string, Presented>();
  for (const one of ranked) {
    const root = one.found_by === undefined ? rootOf(one.session_id, sessions) : one.session_id;
    const best = folded.get(root);
    if (best === undefined) folded.set(root, one);
    else folded.set(root, { ...best, family: [...(best.family ?? []), one.session_id] });
  }
  return [...folded.values()];
}

/** The oldest ancestor, whether or not it is among the results. */
function rootOf(sessionId: string, sessions: Map<string, SessionPayload>): string {
  const seen = new Set<string>();
  let id = sessionId;
  for (;;) {
    const parent = sessions.get(id)?.parent?.session_id;
    // Damaged records may form a cycle.
    if (parent === undefined || seen.has(parent)) return id;
    seen.add(id);
    id = parent;
  }
}

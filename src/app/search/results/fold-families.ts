import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Presented } from '../present-result.ts';

/**
 * Folds the sessions of a family, forks and what they were forked from, into the one that was found first. Sessions that the query
 * names stay as they are.
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

/** The oldest ancestor, found or not. */
function rootOf(sessionId: string, sessions: Map<string, SessionPayload>): string {
  const seen = new Set<string>();
  let id = sessionId;
  for (;;) {
    const parent = sessions.get(id)?.parent?.session_id;
    // Damaged records could name each other.
    if (parent === undefined || seen.has(parent)) return id;
    seen.add(id);
    id = parent;
  }
}

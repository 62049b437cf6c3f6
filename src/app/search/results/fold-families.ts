import type { SessionPayload } from '../../../domain/point/point.ts';
import { shareOfFiles } from '../../../domain/search/shared-files.ts';
import type { Presented } from '../present-result.ts';

/** Shorter titles are shared by sessions about different things. */
const LONG_TITLE = 40;
const SHARED_FILES = 0.5;

/**
 * Folds the sessions of a family, forks and what they were forked from, and those that did the same, into the one that was found
 * first. Sessions that the query names stay as they are.
 */
export function foldFamilies(ranked: Presented[], sessions: Map<string, SessionPayload>): Presented[] {
  const folded = new Map<string, Presented>();
  for (const one of ranked) {
    const isNamed = one.found_by !== undefined;
    const repeated = isNamed ? undefined : repeatedBy(one, folded, sessions);
    const root = repeated ?? (isNamed ? one.session_id : rootOf(one.session_id, sessions));
    const best = folded.get(root);
    if (best === undefined) folded.set(root, one);
    else folded.set(root, { ...best, family: [...(best.family ?? []), one.session_id] });
  }
  return [...folded.values()];
}

/** What a session is folded into that has the same title and changed half of the same files in the same repository. */
function repeatedBy(
  { session_id }: Presented,
  folded: Map<string, Presented>,
  sessions: Map<string, SessionPayload>,
): string | undefined {
  const session = sessions.get(session_id);
  if (session === undefined || session.title.length < LONG_TITLE) return undefined;
  return [...folded].find(([, best]) => {
    const other = sessions.get(best.session_id);
    return (
      best.found_by === undefined &&
      other?.title === session.title &&
      other.repo_id === session.repo_id &&
      (shareOfFiles(other.files_touched, session.files_touched) ?? 0) >= SHARED_FILES
    );
  })?.[0];
}

/** The oldest ancestor, found or not. */
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

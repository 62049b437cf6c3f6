import type { Idea, Span } from '../../session/ideas.ts';
import type { Commit } from '../../session/session.ts';
import { keepCommits } from './evidence/read-commits.ts';
import { openSpans } from './follow-topics.ts';
import type { MemoryState } from './memory-state.ts';

/**
 * Ideas and spans that are new or changed since the last call. Open spans are returned as if the session ended here.
 * @param commits those of the session's record, if it is known.
 */
export function takeChanges(state: MemoryState, commits?: Commit[]): { ideas: Idea[]; spans: Span[] } {
  if (commits !== undefined) keepCommits(state, commits);
  const { changed, topics } = state;
  const spans = [...topics.changed, ...openSpans(state)];
  state.changed = [];
  topics.changed = [];
  const byIndex = (one: { index: number }, other: { index: number }) => one.index - other.index;
  // Copies, because an open idea may be closed later, and an open span grows.
  return {
    ideas: changed.map((idea) => ({ ...idea })).sort(byIndex),
    spans: spans
      .map((span) => ({
        ...span,
        files: [...span.files],
        commits: [...span.commits],
        entities: [...span.entities],
      }))
      .sort(byIndex),
  };
}

/** How many there are; their indexes run from 0. */
export function memoryCounts(state: MemoryState): { ideas: number; spans: number } {
  return { ideas: state.ideas, spans: state.topics.spans };
}

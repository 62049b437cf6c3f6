import type { IdeaPayload } from '../../domain/point/point.ts';

/** The times of the last commit in each repository, whose clones are one. */
export function lastDeliveries(ideas: IdeaPayload[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const { evidence, repo_id, repo_key, timestamp } of ideas) {
    const repository = repo_key ?? repo_id;
    if (evidence === 'commit' && timestamp !== null && timestamp > (times.get(repository) ?? ''))
      times.set(repository, timestamp);
  }
  return times;
}

/**
 * A question that a session ended with, a step of the agent's list, what is not merged, and what waits for something else are about the
 * work at hand: over once somebody has committed since. A pull request or an issue that waits is over by its own end.
 */
export function isOutlived(
  { kind, content, evidence, repo_id, repo_key, timestamp }: IdeaPayload,
  delivered: Map<string, string>,
): boolean {
  const isAtHand =
    evidence === 'todo-list' ||
    (kind === 'question'
      ? evidence === 'report' || evidence === 'choice'
      : evidence === 'report' &&
        (UNMERGED.test(content) || (WAITS.test(content) && !NUMBERED.test(content))));
  return isAtHand && (delivered.get(repo_key ?? repo_id) ?? '') > (timestamp ?? '');
}

const UNMERGED =
  /\b(?:not (?:been |yet )?(?:committed|merged|pushed)|needs? to be (?:committed|merged|pushed))\b/i;
const WAITS = /\b(?:until|once|after) (?:\S+ ){1,8}(?:is|are|has|have|lands?|merges?|ships?)\b/i;
const NUMBERED = /#\d|\/(?:pull|issues|merge_requests)\/\d/;

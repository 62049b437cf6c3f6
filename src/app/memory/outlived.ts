import type { IdeaPayload } from '../../domain/point/point.ts';

/** The times of the last commit in each repository. */
export function lastDeliveries(ideas: IdeaPayload[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const { evidence, repo_id, timestamp } of ideas)
    if (evidence === 'commit' && timestamp !== null && timestamp > (times.get(repo_id) ?? ''))
      times.set(repo_id, timestamp);
  return times;
}

/** A question that a session ended with, and its work that is not merged, are about the work at hand: over once somebody has committed since. */
export function isOutlived(
  { kind, content, evidence, repo_id, timestamp }: IdeaPayload,
  delivered: Map<string, string>,
): boolean {
  const isAtHand = evidence === 'report' && (kind === 'question' || UNMERGED.test(content));
  return isAtHand && (delivered.get(repo_id) ?? '') > (timestamp ?? '');
}

const UNMERGED =
  /\b(?:not (?:been |yet )?(?:committed|merged|pushed)|needs? to be (?:committed|merged|pushed))\b/i;

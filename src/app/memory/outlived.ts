import type { IdeaPayload } from '../../domain/point/point.ts';

/** The times of the last commit in each repository. */
export function lastDeliveries(ideas: IdeaPayload[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const { evidence, repo_id, timestamp } of ideas)
    if (evidence === 'commit' && timestamp !== null && timestamp > (times.get(repo_id) ?? ''))
      times.set(repo_id, timestamp);
  return times;
}

/** A question that a session ended with is about the work at hand: it is over once somebody has committed since. */
export function isOutlived(
  { kind, evidence, repo_id, timestamp }: IdeaPayload,
  delivered: Map<string, string>,
): boolean {
  return kind === 'question' && evidence === 'report' && (delivered.get(repo_id) ?? '') > (timestamp ?? '');
}

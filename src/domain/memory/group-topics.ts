import type { SpanPayload } from '../point/point.ts';
import { keyWords } from './text/sentences.ts';

/** How alike the words or the files of two topics must be, weighted by rarity. */
const MIN_SHARE = 0.5;
/** Anything shared by so many topics says nothing. */
const MAX_WITH = 0.25;
const MIN_COMMON = 2;
/** Branches on which everything happens. */
const COMMON_BRANCH = /^(?:main|master|develop|dev|trunk|HEAD)?$/;

/** Topics of several sessions that are about the same: on one branch, with the same files, or in the same words. Newest first. */
export function groupTopics(spans: SpanPayload[]): SpanPayload[][] {
  const roots = spans.filter(({ parent }) => parent === null).sort(byTime);
  const features = roots.map(featuresOf);
  const counts = new Map<string, number>();
  for (const own of features) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  const most = Math.max(3, roots.length * MAX_WITH);
  const weightOf = (feature: string) => {
    const count = counts.get(feature) ?? 1;
    return count > most ? 0 : Math.log(1 + roots.length / count);
  };
  const weights = features.map((own) => [...own].reduce((all, feature) => all + weightOf(feature), 0));
  const groups: SpanPayload[][] = [];
  /** The topics that have a feature, and the newest group on a branch. */
  const having = new Map<string, number[]>();
  const onBranch = new Map<string, number>();
  const groupOf: number[] = [];
  for (const [at, span] of roots.entries()) {
    const branch = branchOf(span);
    let known = onBranch.get(branch ?? '') ?? -1;
    const common = new Map<number, { weight: number; count: number }>();
    for (const feature of features[at] ?? []) {
      const weight = weightOf(feature);
      if (weight === 0) continue;
      const others = having.get(feature) ?? [];
      for (const other of others) {
        const shared = common.get(other);
        if (shared === undefined) common.set(other, { weight, count: 1 });
        else {
          shared.weight += weight;
          shared.count += 1;
        }
      }
      others.push(at);
      having.set(feature, others);
    }
    // Compared with each topic of a group, so that groups do not drift.
    for (const [other, { weight, count }] of common) {
      const least = Math.max(1e-9, Math.min(weights[at] ?? 0, weights[other] ?? 0));
      if (count >= MIN_COMMON && weight / least >= MIN_SHARE) known = Math.max(known, groupOf[other] ?? -1);
    }
    if (known < 0) known = groups.push([]) - 1;
    groups[known]?.push(span);
    groupOf.push(known);
    if (branch !== null) onBranch.set(branch, Math.max(known, onBranch.get(branch) ?? -1));
  }
  return groups.sort((one, other) => byTime(lastOf(other), lastOf(one)));
}

/** Null for a branch on which everything happens. */
function branchOf({ branch, repo_id }: SpanPayload): string | null {
  return branch === null || COMMON_BRANCH.test(branch) ? null : `${repo_id} ${branch}`;
}

function featuresOf({ name, files, entities }: SpanPayload): Set<string> {
  const named = entities.filter((one) => /^(?:pull-request|technology|error):/.test(one));
  return new Set([...keyWords(name), ...files.map((file) => `file:${file}`), ...named]);
}

function lastOf(group: SpanPayload[]): SpanPayload {
  return group.at(-1) as SpanPayload;
}

function byTime(a: SpanPayload, b: SpanPayload): number {
  const [one, other] = [a.ended_at ?? '', b.ended_at ?? ''];
  return one === other ? a.chunk_index - b.chunk_index : one < other ? -1 : 1;
}

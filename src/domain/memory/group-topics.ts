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
  const groups: { spans: SpanPayload[]; features: Set<string>[] }[] = [];
  for (const [at, span] of roots.entries()) {
    const own = features[at] ?? new Set();
    const known = groups.findLast((group) => isAlike(group, span, own, weightOf));
    if (known === undefined) groups.push({ spans: [span], features: [own] });
    else {
      known.spans.push(span);
      known.features.push(own);
    }
  }
  return groups.map((group) => group.spans).sort((a, b) => byTime(lastOf(b), lastOf(a)));
}

/** Compared with each topic of the group, so that groups do not drift. */
function isAlike(
  group: { spans: SpanPayload[]; features: Set<string>[] },
  span: SpanPayload,
  own: Set<string>,
  weightOf: (feature: string) => number,
): boolean {
  const { branch } = span;
  const isBranch = branch !== null && !COMMON_BRANCH.test(branch);
  if (isBranch && group.spans.some((one) => one.branch === branch && one.repo_id === span.repo_id))
    return true;
  return group.features.some((other) => shareOf(own, other, weightOf) >= MIN_SHARE);
}

function shareOf(one: Set<string>, other: Set<string>, weightOf: (feature: string) => number): number {
  const common = [...one].filter((feature) => other.has(feature) && weightOf(feature) > 0);
  if (common.length < MIN_COMMON) return 0;
  const sum = (features: Iterable<string>) =>
    [...features].reduce((all, feature) => all + weightOf(feature), 0);
  return sum(common) / Math.max(1e-9, Math.min(sum(one), sum(other)));
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

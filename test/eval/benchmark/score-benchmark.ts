import { DEEPEST } from '../certainty/cases.ts';
import { bootstrap, hitRate, type Interval, meanReciprocalRank, rankOfFirst } from '../metrics.ts';
import type { Benchmark, BenchmarkQuery } from './benchmark-file.ts';

export interface Score {
  set: string;
  group: Group['name'];
  tool: string;
  queries: number;
  /** Queries that the tool did not rank; they count as not found. */
  missing: number;
  hit1: Interval;
  hit5: Interval;
  mrr: Interval;
}

/** Every tool's figures on each set, on all its queries and on each group that differs from them. */
export function scoreBenchmark({ queries, rankings }: Benchmark): Score[] {
  const inSet = (set: string) => queries.filter(({ sets }) => sets.includes(set));
  return [...new Set(queries.flatMap(({ sets }) => sets))].sort().flatMap((set) =>
    groupsOf(inSet(set)).flatMap(({ name: group, asked, rightOf }) => {
      return Object.entries(rankings).map(([tool, ranking]): Score => {
        const ranks = asked.map((query) => {
          const found = [...new Set(ranking[query.id])].slice(0, DEEPEST);
          return rankOfFirst(found, rightOf(query));
        });
        return {
          set,
          group,
          tool,
          queries: asked.length,
          missing: asked.filter(({ id }) => ranking[id] === undefined).length,
          hit1: bootstrap(ranks, (sample) => hitRate(sample, 1)),
          hit5: bootstrap(ranks, (sample) => hitRate(sample, 5)),
          mrr: bootstrap(ranks, meanReciprocalRank),
        };
      });
    }),
  );
}

interface Group {
  name: 'all' | 'trustworthy' | 'blind';
  /** The sessions that count as right; none if the query is not in the group. */
  rightOf(query: BenchmarkQuery): string[];
}

const GROUPS: Group[] = [
  { name: 'all', rightOf: ({ labels }) => sessionsOf(labels) },
  {
    name: 'trustworthy',
    rightOf: ({ labels }) => sessionsOf(labels.filter(({ trustworthy }) => trustworthy === true)),
  },
  { name: 'blind', rightOf: ({ labels, blind }) => (blind ? sessionsOf(labels) : []) },
];

function groupsOf(queries: BenchmarkQuery[]): (Group & { asked: BenchmarkQuery[] })[] {
  const isAll = ({ rightOf }: Group) =>
    queries.every((query) => rightOf(query).length === query.labels.length);
  return GROUPS.filter((group) => group.name === 'all' || !isAll(group))
    .map((group) => ({ ...group, asked: queries.filter((query) => group.rightOf(query).length > 0) }))
    .filter(({ asked }) => asked.length > 0);
}

function sessionsOf(labels: BenchmarkQuery['labels']): string[] {
  return labels.map(({ session }) => session);
}

import { readFileSync } from 'node:fs';
import { z } from 'zod';

const FORMAT = 'session-search-benchmark/1';

/** Maps the id of a query to session ids, best first. */
const Ranking = z.record(z.string(), z.array(z.string()));

const Label = z.object({
  session: z.string(),
  /** Whether the session edited files and the commit was made during it or within an hour after it; null for other queries. */
  trustworthy: z.boolean().nullable(),
});

const BenchmarkQuery = z.object({
  id: z.string(),
  /** The corpus whose sessions are searched. */
  corpus: z.string(),
  /** The sets that it belongs to: figures are given for each. */
  sets: z.array(z.string()).min(1),
  text: z.string(),
  /** Further phrasings, for tools that take them. */
  also: z.array(z.string()),
  /** When it is asked (ISO 8601), for tools that weigh the age of sessions. */
  time: z.string().nullable(),
  commit: z.string().nullable(),
  /** Finding any of them is right. */
  labels: z.array(Label).min(1),
  /** Whether its words occur next to each other in no line of a right session's transcript. */
  blind: z.boolean(),
});

const Benchmark = z.object({
  format: z.literal(FORMAT),
  corpora: z.array(z.object({ name: z.string(), sessions: z.array(z.string()) })),
  queries: z.array(BenchmarkQuery),
  /** By the name of the tool. */
  rankings: z.record(z.string(), Ranking),
});

/** A file of rankings only: `{"rankings": {"name of the tool": {"id of a query": ["session id", …]}}}`. */
const RankingsFile = z.object({ rankings: z.record(z.string(), Ranking) });

export type Benchmark = z.infer<typeof Benchmark>;
export type BenchmarkQuery = z.infer<typeof BenchmarkQuery>;
export type Rankings = Benchmark['rankings'];

export function emptyBenchmark(): Benchmark {
  return { format: FORMAT, corpora: [], queries: [], rankings: {} };
}

/** Adds the corpora, queries and rankings of one part to the whole. */
export function addToBenchmark(whole: Benchmark, part: Omit<Benchmark, 'format'>): void {
  whole.corpora.push(...part.corpora);
  whole.queries.push(...part.queries);
  addRankings(whole.rankings, part.rankings);
}

/** Reads a benchmark, and the rankings of further files into it. */
export function readBenchmark(path: string, others: string[] = []): Benchmark {
  const benchmark = Benchmark.parse(JSON.parse(readFileSync(path, 'utf8')));
  for (const other of others)
    addRankings(benchmark.rankings, RankingsFile.parse(JSON.parse(readFileSync(other, 'utf8'))).rankings);
  return benchmark;
}

function addRankings(to: Rankings, rankings: Rankings): void {
  for (const [tool, ranking] of Object.entries(rankings)) to[tool] = { ...to[tool], ...ranking };
}

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { Corpus } from '../corpus.ts';
import { openCorpus } from '../open-corpus.ts';
import { addToBenchmark, type Benchmark, emptyBenchmark, readBenchmark } from './benchmark-file.ts';
import { exportCommits } from './export-commits.ts';
import { exportHaystack } from './haystacks/export-haystack.ts';
import type { Haystack } from './haystacks/haystack.ts';
import { scoreBenchmark } from './score-benchmark.ts';
import { scoreReport } from './score-report.ts';

interface Options {
  work: string;
  model: string | null;
  terminal: Terminal;
}

/** Ranks every corpus's sessions for its queries. */
export async function rankCorpora(corpora: Corpus[], options: Options): Promise<Benchmark> {
  const benchmark = emptyBenchmark();
  for (const corpus of corpora) {
    const open = await openCorpus(corpus, options);
    try {
      addToBenchmark(benchmark, await exportCommits(open));
    } finally {
      await open.parts.close();
    }
  }
  return benchmark;
}

export async function rankHaystacks(haystacks: Haystack[], options: Options): Promise<Benchmark> {
  const benchmark = emptyBenchmark();
  for (const haystack of haystacks) addToBenchmark(benchmark, await exportHaystack(haystack, options));
  return benchmark;
}

export function writeBenchmark(benchmark: Benchmark, path: string, terminal: Terminal): void {
  writeFileSync(resolve(path), `${JSON.stringify(benchmark)}\n`);
  const { queries, rankings } = benchmark;
  terminal.out(`${path}: ${queries.length} queries, ranked by ${Object.keys(rankings).join('; ')}`);
}

/** Scores the rankings of a benchmark, and those of further files. */
export function scoreFiles([path = '', ...others]: string[], isJson: boolean, terminal: Terminal): void {
  const scores = scoreBenchmark(readBenchmark(path, others));
  terminal.out(isJson ? JSON.stringify(scores) : scoreReport(scores));
}

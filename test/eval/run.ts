import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../../src/cli/terminal/progress/progress.ts';
import { createTerminal, type Terminal } from '../../src/cli/terminal/terminal.ts';
import { findShared } from '../support/files/find-shared.ts';
import { collectCheckpoints } from './benchmark/collect-checkpoints.ts';
import { readLoCoMo } from './benchmark/haystacks/read-locomo.ts';
import { readLongMemEval } from './benchmark/haystacks/read-longmemeval.ts';
import { rankCorpora, rankHaystacks, scoreFiles, writeBenchmark } from './benchmark/run-benchmark.ts';
import type { Case } from './certainty/cases.ts';
import { certaintyCases, evaluateCertainty, fitReport } from './certainty/evaluate-fit.ts';
import { type Corpus, findCorpora } from './corpus.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { evaluateMemory } from './memory/evaluate-memory.ts';
import { memoryReport } from './memory/memory-report.ts';
import { openCorpus } from './open-corpus.ts';
import { answerQuestions, answersInFull, answersReport } from './recall/evaluate-answers.ts';
import { reportText } from './report.ts';
import { evaluateRerank, type RerankFigures } from './rerank/evaluate-rerank.ts';
import { rerankReport } from './rerank/rerank-report.ts';
import { compareUsage, usageTable } from './usage/compare-usage.ts';

const USAGE = `npm run eval -- [certainty | memory | recall | rerank | usage | export] [--corpus DIR] [--queries FILE.jsonl] [--work DIR] [--json]
npm run eval -- score FILE.json [FILE.json...] [--json]
npm run eval -- collect CLONE [CLONE...] --corpus DIR

How well searches find the sessions that are known to answer them. certainty: how right the certainty of results is; with
--fit also with numbers fitted anew, each measured on a corpus that it was not fitted to. memory: how right the ideas and topics of
sessions are, compared with those that a person found in them. recall: how often the answer to a question is among what recall
quotes first, by keyword, or with the model in SMART_FORK_MODEL_DIR. rerank: what the reranker that
SMART_FORK_RERANKER names gains. usage: whether tokens are those that an independent script counts
(needs python3). export: writes the queries, their right sessions and our rankings to a file, and score compares the
rankings in such files. collect: makes a corpus of repositories with checkpoints of Entire (docs/internals/benchmark.md).

--corpus DIR    a folder with claude/ and codex/ in it, or one agent's home (~/.claude); read only
--queries FILE  lines of {"query" or "subject", "sessions": [ids], "date"?}; else queries.jsonl or commits.jsonl in DIR
--questions FILE
                for recall: lines of {"question", "session", "answer", "answer_must_contain"}
--printed FILE  where recall writes the answers in full
--work DIR      keeps the index there, for a quick second run
--fit           fits the numbers of the certainty
--out FILE      what export writes; by default, benchmark.json
--longmemeval FILE, --locomo FILE
                export these questions instead of a corpus's
--ccusage FILE  usage also compares with this ccusage, offline; differences are shown, and do not fail
--json          prints one JSON object`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string' },
    queries: { type: 'string' },
    questions: { type: 'string' },
    printed: { type: 'string' },
    work: { type: 'string' },
    fit: { type: 'boolean', default: false },
    out: { type: 'string', default: 'benchmark.json' },
    longmemeval: { type: 'string' },
    locomo: { type: 'string' },
    ccusage: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { stdout, stderr, env, platform } = process;
const terminal = createTerminal({ stdout, stderr, env, platform });
if (values.help) terminal.out(USAGE);
else if (positionals[0] === 'certainty') await inFolder(measureCertainty);
else if (positionals[0] === 'memory') await inFolder(measureMemory);
else if (positionals[0] === 'recall') await inFolder(measureRecall);
else if (positionals[0] === 'rerank') await inFolder(measureRerank);
else if (positionals[0] === 'usage') await inFolder(measureUsage);
else if (positionals[0] === 'export') await inFolder(exportBenchmark);
else if (positionals[0] === 'collect') collect(positionals.slice(1));
else if (positionals[0] === 'score') scoreBenchmarks(positionals.slice(1));
else await inFolder(measureSearch);

async function inFolder(measure: (work: string) => Promise<void>): Promise<void> {
  const work = values.work ? resolve(values.work) : mkdtempSync(join(tmpdir(), 'smart-fork-eval-'));
  mkdirSync(work, { recursive: true });
  try {
    await measure(work);
  } finally {
    if (!values.work) rmSync(work, { recursive: true, force: true });
  }
}

async function measureMemory(work: string): Promise<void> {
  const folder = values.corpus ?? findShared('corpora');
  const evaluation = folder === null ? null : await evaluateMemory(resolve(folder), work);
  if (evaluation === null) {
    terminal.err(`No labelled session in ${folder ?? 'shared/corpora next to the repository'}.\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  terminal.out(values.json ? JSON.stringify(evaluation) : memoryReport(evaluation));
}

async function measureRecall(work: string): Promise<void> {
  const folder = values.corpus ?? findShared('corpora');
  if (folder === null || values.questions === undefined) {
    terminal.err(`${folder === null ? 'No corpus.' : 'Set --questions.'}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const model = env.SMART_FORK_MODEL_DIR;
  const answered = await answerQuestions(resolve(values.questions), {
    corpora: resolve(folder),
    work,
    model,
  });
  if (values.printed !== undefined) writeFileSync(values.printed, answersInFull(answered));
  terminal.out(values.json ? JSON.stringify(answered) : answersReport(answered));
}

async function measureUsage(work: string): Promise<void> {
  const folder = values.corpus ?? findShared('corpora');
  if (folder === null) {
    terminal.err(`No corpus.\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const comparisons = await compareUsage(resolve(folder), work, values.ccusage);
  terminal.out(values.json ? JSON.stringify(comparisons) : usageTable(comparisons));
  if (comparisons.some(({ ours, theirs }) => String(ours) !== String(theirs))) process.exitCode = 1;
}

async function measureCertainty(work: string): Promise<void> {
  const cases: Case[] = [];
  for (const corpus of findCorpora(values.corpus, values.queries).corpora) {
    const open = await openCorpus(corpus, { work, model: modelFolder(), terminal });
    cases.push(...(await certaintyCases(open)));
    await open.parts.close();
  }
  if (cases.length === 0) {
    terminal.err(`No query names sessions that are all in the corpus.\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const evaluation = evaluateCertainty(cases, values.fit);
  terminal.out(values.json ? JSON.stringify(evaluation) : fitReport(evaluation));
}

async function measureRerank(work: string): Promise<void> {
  const { corpora } = findCorpora(values.corpus, values.queries);
  const reranker = env.SMART_FORK_RERANKER;
  if (reranker === undefined || corpora.length === 0) {
    terminal.err(`${reranker === undefined ? 'Set SMART_FORK_RERANKER.' : 'No corpus.'}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const all: RerankFigures[] = [];
  for (const corpus of corpora) {
    const open = await openCorpus(corpus, { work, model: modelFolder(), reranker, terminal });
    all.push(...(await evaluateRerank(open)));
    await open.parts.close();
  }
  terminal.out(values.json ? JSON.stringify(all) : rerankReport(reranker, all));
}

function collect(clones: string[]): void {
  const folder = values.corpus;
  if (folder === undefined || clones.length === 0) {
    terminal.err(`collect needs clones and --corpus.\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  for (const clone of clones) {
    const { sessions, commits } = collectCheckpoints(clone, resolve(folder));
    terminal.out(`${clone}: ${sessions} sessions, ${commits} commits`);
  }
}

function scoreBenchmarks(files: string[]): void {
  if (files.length > 0) scoreFiles(files, values.json, terminal);
  else {
    terminal.err(`score needs a file that export has written.\n\n${USAGE}`);
    process.exitCode = 2;
  }
}

async function exportBenchmark(work: string): Promise<void> {
  const { corpora } = findCorpora(values.corpus, values.queries);
  const { longmemeval, locomo } = values;
  const options = { work, model: modelFolder(), terminal };
  const haystacks = [
    ...(longmemeval === undefined ? [] : readLongMemEval(resolve(longmemeval))),
    ...(locomo === undefined ? [] : readLoCoMo(resolve(locomo))),
  ];
  const isOfCorpora = longmemeval === undefined && locomo === undefined;
  const benchmark = isOfCorpora
    ? await rankCorpora(corpora, options)
    : await rankHaystacks(haystacks, options);
  writeBenchmark(benchmark, values.out, terminal);
}

function modelFolder(): string | null {
  const model = env.SMART_FORK_MODEL_DIR ?? findShared('models', 'all-MiniLM-L6-v2');
  if (model === null) terminal.err('No model: set SMART_FORK_MODEL_DIR for the rankings by meaning.');
  return model;
}

async function measureSearch(work: string): Promise<void> {
  const { corpora, examples } = findCorpora(values.corpus, values.queries);
  if (corpora.length === 0) {
    terminal.err(`No transcripts with queries in ${values.corpus ?? 'examples'}.\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (examples) terminal.err('No corpus next to the repository: using the examples.');
  const model = modelFolder();
  const evaluations: Evaluation[] = [];
  for (const corpus of corpora) {
    const evaluation = await evaluateCorpus(corpus, { work, model, terminal });
    if (evaluation !== null) evaluations.push(evaluation);
  }
  if (evaluations.length === 0) terminal.err('No query names sessions that are all in the corpus.');
  terminal.out(values.json ? JSON.stringify({ examples, evaluations }) : reportText(evaluations));
}

async function evaluateCorpus(
  corpus: Corpus,
  options: { work: string; model: string | null; terminal: Terminal },
): Promise<Evaluation | null> {
  const open = await openCorpus(corpus, options);
  const bar = createProgress({ verb: `Evaluating ${corpus.name}`, terminal });
  try {
    return await evaluate(open, (done, total) => bar.update({ unit: 'ranking', done, total }));
  } finally {
    bar.done();
    await open.parts.close();
  }
}

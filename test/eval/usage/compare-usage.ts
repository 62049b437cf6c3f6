import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { compose } from '../../../src/compose/parts.ts';
import { usageHere } from '../../../src/compose/reports/read-usage.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { UsageReport } from '../../../src/domain/usage/usage-report.ts';
import { table } from '../tables.ts';

/** Requests, input, output, cache read, cache write. */
type Numbers = number[];

export interface UsageComparison {
  name: string;
  ours: Numbers;
  theirs: Numbers;
  /** Without requests; absent if ccusage was not run. */
  ccusage?: Numbers;
}

/** smart-fork's counts for a corpus, and those of a script that knows only the agents' formats. */
export async function compareUsage(
  corpus: string,
  work: string,
  ccusage?: string,
): Promise<UsageComparison[]> {
  const [claude, codex, nowhere] = [join(corpus, 'claude'), join(corpus, 'codex'), join(work, 'nowhere')];
  const config = await loadConfig({
    HOME: nowhere,
    USERPROFILE: nowhere,
    HF_HOME: nowhere,
    SMART_FORK_HOME: join(work, 'usage'),
    CLAUDE_CONFIG_DIR: claude,
    CODEX_HOME: codex,
  });
  const parts = await compose(config);
  await indexTranscripts({ ...(await parts.indexing()), probe: () => null }, {});
  const ours = sumsOf(await usageHere(parts, {}));
  await parts.close();
  const script = resolve('test', 'eval', 'usage', 'count_usage.py');
  const output = execFileSync('python3', [script, claude, codex], { encoding: 'utf8' });
  const theirs = z.record(z.string(), z.array(z.number())).parse(JSON.parse(output));
  const third = ccusage === undefined ? {} : runCcusage(ccusage, corpus, work);
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs), ...Object.keys(third)])].sort();
  return names.map((name) => ({
    name,
    ours: ours[name] ?? [],
    theirs: theirs[name] ?? [],
    ccusage: ccusage === undefined ? undefined : (third[name] ?? []),
  }));
}

/** What ccusage counts in a corpus, by agent and model; without requests, which it does not tell. */
function runCcusage(program: string, corpus: string, work: string): Record<string, Numbers> {
  const env = {
    PATH: process.env.PATH,
    HOME: join(work, 'nowhere'),
    CLAUDE_CONFIG_DIR: join(corpus, 'claude'),
    CODEX_HOME: join(corpus, 'codex'),
  };
  const days = (agent: string) => {
    const output = execFileSync(program, [agent, 'daily', '--offline', '--json'], { env, encoding: 'utf8' });
    return CCUSAGE_DAYS.parse(JSON.parse(output)).daily;
  };
  const counted = [
    ...days('claude').flatMap(({ modelBreakdowns = [] }) =>
      modelBreakdowns.map((one) => [`claude ${one.modelName}`, one] as const),
    ),
    ...days('codex').flatMap(({ models = {} }) =>
      Object.entries(models).map(([model, one]) => [`codex ${model}`, one] as const),
    ),
  ];
  const sums: Record<string, Numbers> = {};
  for (const [name, one] of counted) {
    const numbers = [one.inputTokens, one.outputTokens, one.cacheReadTokens, one.cacheCreationTokens];
    sums[name] = numbers.map((number, at) => number + (sums[name]?.[at] ?? 0));
  }
  return sums;
}

const ccusageTokens = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
});
const CCUSAGE_DAYS = z.object({
  daily: z.array(
    z.object({
      modelBreakdowns: z.array(ccusageTokens.extend({ modelName: z.string() })).optional(),
      models: z.record(z.string(), ccusageTokens).optional(),
    }),
  ),
});

export function usageTable(comparisons: UsageComparison[]): string {
  const rows = comparisons.map(({ name, ours, theirs, ccusage }) => [
    name,
    ours.join(' '),
    sameOr(ours, theirs),
    ccusage === undefined ? 'not run' : sameOr(ours.slice(1), ccusage),
  ]);
  const headers = [
    'agent and model',
    'requests, input, output, cache read, cache write',
    'by the script',
    'by ccusage',
  ];
  return table(headers, rows).join('\n');
}

function sameOr(ours: Numbers, others: Numbers): string {
  return String(ours) === String(others) ? 'the same' : others.join(' ');
}

function sumsOf({ rows }: UsageReport): Record<string, Numbers> {
  const sums: Record<string, Numbers> = {};
  for (const row of rows) {
    const { requests, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = row;
    const numbers = [requests, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens];
    const name = `${row.agent} ${row.model}`;
    sums[name] = numbers.map((number, at) => number + (sums[name]?.[at] ?? 0));
  }
  return sums;
}

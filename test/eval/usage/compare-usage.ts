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
}

/** smart-fork's counts for a corpus, and those of a script that knows only the agents' formats. */
export async function compareUsage(corpus: string, work: string): Promise<UsageComparison[]> {
  const [claude, codex, nowhere] = [join(corpus, 'claude'), join(corpus, 'codex'), join(work, 'nowhere')];
  const config = await loadConfig({
    HOME: nowhere,
    USERPROFILE: nowhere,
    HF_HOME: nowhere,
    SMART_FORK_HOME: join(work, 'usage'),
    CLAUDE_CONFIG_DIR: claude,
    CODEX_HOME: codex,
  });
  const parts = compose(config);
  await indexTranscripts({ ...(await parts.indexing()), probe: () => null }, {});
  const ours = sumsOf(await usageHere(parts, {}));
  await parts.close();
  const script = resolve('test', 'eval', 'usage', 'count_usage.py');
  const output = execFileSync('python3', [script, claude, codex], { encoding: 'utf8' });
  const theirs = z.record(z.string(), z.array(z.number())).parse(JSON.parse(output));
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  return names.map((name) => ({ name, ours: ours[name] ?? [], theirs: theirs[name] ?? [] }));
}

export function usageTable(comparisons: UsageComparison[]): string {
  const rows = comparisons.map(({ name, ours, theirs }) => [
    name,
    ours.join(' '),
    String(ours) === String(theirs) ? 'the same' : theirs.join(' '),
  ]);
  const headers = ['agent and model', 'requests, input, output, cache read, cache write', 'by the script'];
  return table(headers, rows).join('\n');
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

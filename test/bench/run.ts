import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findShared } from '../support/files/find-shared.ts';
import { type Bench, type BenchContext, isMet, type Row, ratioOf } from './bench.ts';
import { BENCHES, HELPERS } from './benches.ts';
import { reportText } from './report.ts';

const USAGE = `npm run bench -- [NAME…] [--large] [--work DIR] [--json]

What smart-fork costs, against the least that must be done on the same machine in the same run.

--large     the measurements that take many minutes too
--work DIR  keeps indexed and generated stores there, for a quick second run
--json      prints one JSON object

${BENCHES.map(({ name, describe, large }) => `${name.padEnd(16)}${describe}${large ? ' (large)' : ''}`).join('\n')}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    large: { type: 'boolean', default: false },
    work: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    /** Internal: runs one bench in this process and prints its rows. */
    isolated: { type: 'string' },
  },
});

if (values.help) process.stdout.write(USAGE);
else if (values.isolated !== undefined) await runHere(values.isolated);
else runAll();

/** Each bench gets its own process, so that memory and caches do not affect the others. */
function runAll(): void {
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no bench called ${unknown.join(', ')}.\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const work = values.work ? resolve(values.work) : mkdtempSync(join(tmpdir(), 'smart-fork-bench-'));
  mkdirSync(work, { recursive: true });
  const rows: Row[] = [];
  try {
    for (const bench of BENCHES.filter(isWanted)) {
      process.stderr.write(`${bench.name}: ${bench.describe}\n`);
      rows.push(...runIsolated(bench, work));
    }
  } finally {
    if (!values.work) rmSync(work, { recursive: true, force: true });
  }
  const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ machine, rows: rows.map((row) => ({ ...row, ratio: ratioOf(row), met: isMet(row) })) })}\n`
      : `${reportText(rows)}\n\n${machine}\n`,
  );
}

function isWanted({ name, large }: Bench): boolean {
  return positionals.length > 0 ? positionals.includes(name) : values.large || large !== true;
}

function runIsolated({ name }: Bench, work: string): Row[] {
  const program = process.argv[1] ?? '';
  const { stdout, status } = spawnSync(process.execPath, [program, '--isolated', name, '--work', work], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} failed`);
  const answer: { rows: Row[] } | { skipped: string } = JSON.parse(stdout);
  if ('rows' in answer) return answer.rows;
  process.stderr.write(`${name}: not run: ${answer.skipped}\n`);
  return [];
}

async function runHere(name: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'smart-fork-bench-'));
  try {
    const bench = [...BENCHES, ...HELPERS].find((one) => one.name === name);
    const answer = (await bench?.run(contextFor(scratch))) ?? 'unknown';
    process.stdout.write(JSON.stringify(typeof answer === 'string' ? { skipped: answer } : { rows: answer }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function contextFor(scratch: string): BenchContext {
  const shared = findShared('corpora');
  const root = shared ?? resolve('examples');
  const folder = (name: string) => (existsSync(join(root, name)) ? join(root, name) : null);
  return {
    work: values.work ?? scratch,
    scratch,
    claudeHome: folder('claude'),
    codexHome: folder('codex'),
    queries: folder(shared === null ? 'queries.jsonl' : 'commits.jsonl'),
    model: process.env.SMART_FORK_MODEL_DIR ?? findShared('models', 'all-MiniLM-L6-v2'),
  };
}

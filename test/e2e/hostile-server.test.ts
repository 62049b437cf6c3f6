import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isSlow } from '../support/campaign.ts';
import { type CliResult, runCli } from '../support/machines/cli.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { HOSTILE, startHostileServer } from '../support/qdrant/hostile-server.ts';
import { line, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const SESSION = uuidOf('hostile');
/** In MB. A command takes 110 MB without a server; an answer's text, bytes and parts may all be in memory at once. */
const MAX_MB = 600;
/** Allows for timers on a busy machine; the fault that this finds has no limit at all. */
const MAX_MS = 120_000;

const READING = [
  ['sessions'],
  ['search', 'restart the indexer'],
  ['show', SESSION],
  ['stats'],
  ['status'],
  ['doctor'],
  ['restore', uuidOf('unknown')],
];
const COMMANDS = [...READING, ['index', '--no-embed'], ['forget', SESSION, '--yes']];
/** A machine that reads, and one that sends. */
const QUICK = [['sessions'], ['index', '--no-embed']];

async function useWorld(): Promise<World> {
  const world = createWorld();
  writeClaude(world.claudeHome, SESSION, [line.user('restart the indexer'), line.assistant('done')]);
  await runCli(world, ['index', '--no-embed']);
  return world;
}

type Kind = keyof typeof HOSTILE;
/** They end when the command loses patience. */
const WAITING: Kind[] = ['slow drip', 'silence'];
const AT_ONCE = (Object.keys(HOSTILE) as Kind[]).filter((kind) => !WAITING.includes(kind));
const LIMIT = { timeout: 900_000 };

it.each(AT_ONCE)('keeps every command usable with a server that answers with %s', LIMIT, async (kind) => {
  const isLong = isSlow || kind === 'endless';
  const patience: Record<string, string> = isLong ? {} : { QDRANT_TIMEOUT_MS: '1000' };
  await expectUsable(kind, isLong ? measured : timed, patience);
});

it('keeps every command usable with a server that answers slowly or never', LIMIT, async () => {
  // An index waits 17 s for such a server before it leaves the rest to the worker.
  const commands = isSlow ? COMMANDS : [['sessions'], ['search', 'restart the indexer']];
  await Promise.all(WAITING.map((kind) => expectUsable(kind, measured, {}, commands)));
});

/** Every command stays within limits of memory and time, and prints what it can. */
async function expectUsable(
  kind: Kind,
  run: typeof measured,
  env: Record<string, string>,
  commands = isSlow ? COMMANDS : QUICK,
): Promise<void> {
  const world = await useWorld();
  const url = await startHostileServer(kind);
  for (const words of commands) {
    const { result, megabytes, ms } = await run(world, words, { ...env, QDRANT_URL: url });
    const what = `${kind}: ${words[0]}: ${result.stderr}`;
    expect(megabytes, what).toBeLessThan(MAX_MB);
    expect(ms, what).toBeLessThan(MAX_MS);
    expect(result.stderr, what).not.toMatch(
      /TypeError|internal error|is not iterable|undefined|unknown option/,
    );
    if (words[0] === 'sessions') expect(result.stdout).toContain('restart the indexer');
    if (words[0] === 'sessions') expect(result.stderr).toContain(url);
  }
}

it('names the server, the limit and the setting if an answer has no end', {
  timeout: 300_000,
}, async () => {
  const world = await useWorld();
  const url = await startHostileServer('endless');
  const { stderr } = await runCli(world, ['sessions'], { env: { QDRANT_URL: url } });
  expect(stderr).toMatch(/Qdrant at http:\/\/127\.0\.0\.1:\d+ sent more than \d+ MB/);
  expect(stderr).toContain('QDRANT_URL');
});

it('refuses an answer that was compressed unasked, because it may unpack without end', async () => {
  const world = await useWorld();
  const url = await startHostileServer('gzip, unasked');
  const { stderr } = await runCli(world, ['sessions'], { env: { QDRANT_URL: url } });
  expect(stderr).toMatch(/expected\s+an\s+answer that is not compressed/);
});

it('stops a model download from a hub whose answer never ends', { timeout: 300_000 }, async () => {
  const world = createWorld();
  const url = await startHostileServer('endless');
  const { result, megabytes } = await measured(world, ['model', 'pull'], { HF_ENDPOINT: url });
  expect(result.status).toBe(1);
  expect(megabytes).toBeLessThan(MAX_MB);
  expect(result.stderr).toContain(`${url} sent more than 4 MB`);
  expect(result.stderr).toContain('HF_ENDPOINT');
});

/** Runs a command if the answers are too short to use much memory. */
async function timed(world: World, words: string[], env: Record<string, string>) {
  const started = performance.now();
  const result = await runCli(world, words, { env });
  return { result, megabytes: 0, ms: performance.now() - started };
}

/** Runs a command in its own process, and kills it once it is far over the limit, which the test then reports. */
async function measured(world: World, words: string[], env: Record<string, string>) {
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  const started = performance.now();
  const watch = (child: ChildProcess) => {
    timer = setInterval(() => {
      peak = Math.max(peak, residentPeak(child.pid));
      if (peak > 2 * MAX_MB) child.kill('SIGKILL');
    }, 50);
  };
  const result: CliResult = await runCli(world, words, { env, onStart: watch });
  clearInterval(timer);
  return { result, megabytes: peak, ms: performance.now() - started };
}

/** In MB; 0 if the system does not report it, or the process has ended. */
function residentPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

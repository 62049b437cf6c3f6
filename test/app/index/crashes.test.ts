import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../support/campaign.ts';
import { dumpStore, type StoreDump } from '../../support/files/dump-store.ts';
import { memoryFolder } from '../../support/files/temp-folder.ts';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import { seededRandom } from '../../support/random.ts';
import { claudePath, jsonl } from '../../support/transcripts/claude-transcripts.ts';
import { type MadeSession, makeCorpus } from '../../support/transcripts/corpus.ts';

const SERIES = rounds({ quick: 1, slow: 20 });
const KILLS = rounds({ quick: 4, slow: 10 });
const CORPUS = makeCorpus(rounds({ quick: 20, slow: 60 }), 24);
/** Large lines without text, which make the indexer write in a separate thread. */
const PADDING = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(160 * 1024) })}\n`;

/**
 * Sends SIGINT when the program opens its tenth transcript. The program checks for it between groups of sessions; a
 * clock that jumps at every transcript puts each into its own group.
 */
const INTERRUPT_AT_TENTH =
  'data:text/javascript,' +
  encodeURIComponent(`import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const { openSync } = fs; const { now } = Date; let opened = 0;
    Date.now = () => now() + opened * 1500;
    fs.openSync = (path, ...more) => {
      if (String(path).endsWith('.jsonl') && ++opened === 10) process.kill(process.pid, 'SIGINT');
      return openSync(path, ...more);
    };
    syncBuiltinESMExports();`);

describe('an interrupted index', () => {
  it(`equals an index built in one run after ${SERIES * KILLS} kills`, {
    timeout: 600_000,
  }, async () => {
    const world = createWorld(memoryFolder('kill'));
    const random = seededRandom(77);
    writeStage(world, CORPUS, 1);
    const started = performance.now();
    const expected = await indexInOneGo(world, 'reference');
    const whole = performance.now() - started;
    await indexInOneGo(world, 'reference');
    const startUp = performance.now() - started - whole;
    // A stage is a tenth of the work. The range extends a little past its end, so that kills hit the end too. Timings
    // vary: a kill that came too late makes the next ones come sooner, and vice versa.
    let scale = 1;
    const stage = ((whole - startUp) / KILLS) * 1.5 + startUp * 0.3;
    let hit = 0;
    for (let series = 0; series < SERIES; series += 1) {
      const home = join(world.folder, `home-${series}`);
      for (let round = 0; round < KILLS; round += 1) {
        writeStage(world, CORPUS, (round + 1) / KILLS);
        const isHit = await killDuringIndex(world, home, (startUp * 0.5 + random(stage)) * scale);
        scale *= isHit ? 1.1 : 0.7;
        if (isHit) hit += 1;
      }
      const last = await runCli(world, ['index', '--no-embed', '--json'], { env: { SMART_FORK_HOME: home } });
      expect({ status: last.status, stderr: last.stderr }).toEqual({ status: 0, stderr: '' });
      expectSame(dumpStore(join(home, 'index.db')), expected);
    }
    console.log(
      `killed ${hit} of ${SERIES * KILLS} times before the end, which takes ${Math.round(whole)} ms`,
    );
    expect(hit).toBeGreaterThan(SERIES);
  });

  it('equals an index built in one run when several indexers run at once', {
    timeout: 120_000,
  }, async () => {
    const world = createWorld(memoryFolder('two'));
    writeStage(world, CORPUS, 1);
    const expected = await indexInOneGo(world, 'reference');
    const home = join(world.folder, 'home-both');
    for (const share of [0.5, 1]) {
      writeStage(world, CORPUS, share);
      const runs = await Promise.all(
        [1, 2, 3].map(() =>
          runCli(world, ['index', '--no-embed', '--json'], { env: { SMART_FORK_HOME: home } }),
        ),
      );
      const summaries = runs.map(({ stdout }) => JSON.parse(stdout));
      const all = CORPUS.length;
      expect(summaries.map(({ found }) => found)).toEqual([all, all, all]);
      // One process does the work; the others wait and find it done.
      expect(summaries.map(({ unchanged }) => unchanged).sort((a, b) => a - b)).toEqual([0, all, all]);
      for (const { status, stderr, stdout } of runs)
        expect({ status, stderr, error: status === 0 ? '' : stdout }).toEqual({
          status: 0,
          stderr: '',
          error: '',
        });
    }
    expectSame(dumpStore(join(home, 'index.db')), expected);
  });

  it('continues indexing after Ctrl-C', { timeout: 120_000 }, async () => {
    const world = createWorld(memoryFolder('sigint'));
    writeStage(world, CORPUS, 1);
    const expected = await indexInOneGo(world, 'reference');
    const { status, stdout, stderr } = await runCli(world, ['index', '--no-embed', '--json'], {
      env: { NODE_OPTIONS: `--import=${INTERRUPT_AT_TENTH}` },
    });
    expect({ status, stderr }).toEqual({ status: 130, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ interrupted: true, failed: [] });
    const last = await runCli(world, ['index', '--no-embed', '--json']);
    const summary = JSON.parse(last.stdout) as { indexed: number; unchanged: number };
    expect(summary.indexed + summary.unchanged).toBe(CORPUS.length);
    expectSame(dumpStore(join(world.home, 'index.db')), expected);
  });
});

/** Writes the first part of each transcript in place, so that a longer part is an append. */
function writeStage(world: World, corpus: MadeSession[], share: number): void {
  for (const { id, lines } of corpus) {
    const path = claudePath(world.claudeHome, id);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, PADDING + jsonl(lines.slice(0, Math.ceil(lines.length * share))));
  }
}

async function indexInOneGo(world: World, name: string): Promise<StoreDump> {
  const home = join(world.folder, name);
  const { status, stderr } = await runCli(world, ['index', '--no-embed', '--json'], {
    env: { SMART_FORK_HOME: home },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return dumpStore(join(home, 'index.db'));
}

async function killDuringIndex(world: World, home: string, afterMs: number): Promise<boolean> {
  const { signal } = await runCli(world, ['index', '--no-embed', '--json'], {
    env: { SMART_FORK_HOME: home },
    onStart: (child) => setTimeout(() => child.kill('SIGKILL'), afterMs),
  });
  return signal === 'SIGKILL';
}

function expectSame(dump: StoreDump, expected: StoreDump): void {
  expect(dump.integrity).toBe('ok');
  expect(dump.sessions).toEqual(expected.sessions);
  expect(dump.points).toEqual(expected.points);
  expect(dump.waitingForWords).toBe(0);
  expect(dump.sessionWords).toEqual(expected.sessionWords);
  expect(dump.chunkWords).toEqual(expected.chunkWords);
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '../support/campaign.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { keepWorld, randomSteps, runToStep, sessionsIn } from '../support/machines/kill-command.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import {
  type LanguageModelDouble,
  startLanguageModelDouble,
} from '../support/models/language-model-double.ts';
import { seededRandom } from '../support/random.ts';
import { line, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const KILLS = rounds({ quick: 1, slow: 29 });
const ID = 'ffff8888-0000-4000-8000-000000000008';
const COMMAND = { words: ['memory', 'backfill', '--all', '--with-model', '--yes'] };

/** Sentences without common words, so that none is mistaken for another. */
const FINDINGS = [
  'zebra sockets starve before breakfast',
  'giraffe timers drift under heavy load',
  'lemur caches evict warm entries early',
  'otter queues reorder urgent messages',
  'walrus locks survive crashed holders',
  'falcon parsers swallow trailing commas',
  'badger indexes forget deleted columns',
  'heron uploads truncate large images',
];

/** Long enough for several calls. */
const LINES = FINDINGS.flatMap((finding, at) => [
  line.user(`Question number ${at} about the machinery`),
  line.assistant(`Let me look at it. ${finding}, it seems. ${`word${at} and more `.repeat(500)}`),
]);

let server: LanguageModelDouble;
let restoreWorld: () => void;
const world = sharedWorld();

beforeAll(async () => {
  server = await startLanguageModelDouble((text) => {
    const quotes = FINDINGS.filter((finding) => text.includes(finding));
    const ideas = quotes.map((quote) => ({ kind: 'conclusion', content: `Here, ${quote}`, quote }));
    return JSON.stringify({ ideas });
  });
  const machine = world();
  writeClaude(machine.claudeHome, ID, stampLines(LINES, { sessionId: ID }));
  mkdirSync(machine.home, { recursive: true });
  const memory = { extractor: 'endpoint', endpoint: server.url, model: 'small' };
  writeFileSync(join(machine.home, 'config.json'), JSON.stringify({ memory }));
  expect(await runCli(machine, ['index', '--no-embed'])).toMatchObject({ status: 0 });
  restoreWorld = keepWorld(machine, `${machine.folder}-kept`);
}, 60_000);
afterAll(async () => {
  rmSync(`${world().folder}-kept`, { recursive: true, force: true });
  await server.close();
});

it(`continues after each of ${KILLS} kills while a model reads, and asks, counts and writes nothing twice`, {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const { steps } = await runToStep(world(), COMMAND, null);
  const calls = server.requests.length;
  const [expected, use] = [sessionsIn(world().home), await useOfToday()];
  expect(calls).toBeGreaterThan(2);
  expect(use).toMatchObject({ calls, tokens: calls * 1000, ideas: FINDINGS.length });
  let killed = 0;
  for (const step of randomSteps(steps, KILLS, seededRandom(steps))) {
    restoreWorld();
    server.requests.length = 0;
    if ((await runToStep(world(), COMMAND, step)).isKilled) killed += 1;
    const at = `killed before step ${step} of ${steps}`;
    await runJson(world(), COMMAND.words);
    expect(sessionsIn(world().home), at).toEqual(expected);
    // Only a call whose answer was not recorded is made again.
    const asked = server.requests.map(({ text }) => text);
    expect(new Set(asked).size, at).toBe(calls);
    expect(asked.length - calls, at).toBeLessThanOrEqual(1);
    const counted = await useOfToday();
    expect(counted, at).toMatchObject({ ideas: FINDINGS.length });
    // A call is counted before it is made.
    expect(counted.calls - asked.length, at).toBeGreaterThanOrEqual(0);
    expect(counted.calls - calls, at).toBeLessThanOrEqual(1);
    expect((await runJson(world(), COMMAND.words)).calls, at).toBe(0);
  }
  expect(killed).toBeGreaterThan(0);
});

it('repeats only the interrupted call if it is killed while waiting for the answer', {
  timeout: 60_000,
}, async () => {
  restoreWorld();
  server.requests.length = 0;
  const says = server.say;
  let kill = (): unknown => null;
  server.say = (text, call) => {
    if (call !== 2) return says(text, call);
    kill();
    return 'hang';
  };
  const { signal } = await runCli(world(), COMMAND.words, {
    onStart: (child) => {
      kill = () => child.kill('SIGKILL');
    },
  });
  server.say = says;
  expect(signal).toBe('SIGKILL');
  const [first, interrupted] = server.requests.map(({ text }) => text);
  const report = await runJson(world(), COMMAND.words);
  const later = server.requests.slice(2).map(({ text }) => text);
  expect(later[0]).toBe(interrupted);
  expect(later).not.toContain(first);
  expect(report.calls).toBe(later.length);
  expect(await useOfToday()).toMatchObject({ calls: later.length + 2, ideas: FINDINGS.length });
});

async function useOfToday() {
  const { extractor } = (await runJson(world(), ['status'])) as {
    extractor: { today: { calls: number; tokens: number; ideas: number } };
  };
  return extractor.today;
}

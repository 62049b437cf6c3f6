import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../src/domain/agent/agents.ts';
import { rounds } from '../support/campaign.ts';
import { memoryFolder } from '../support/files/temp-folder.ts';
import { cliEnvironment } from '../support/machines/cli.ts';
import { runHere } from '../support/machines/run-here.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type Originals, originalsOf } from '../support/transcripts/originals.ts';

/** Part of the campaign: `SMART_FORK_TEST_MUTANTS=3000-3999`. */
const [FIRST = 0, LAST] = (process.env.SMART_FORK_TEST_MUTANTS?.split('-') ?? []).map(Number);
const MUTANTS = LAST === undefined ? rounds({ quick: 6, slow: 5000 }) : LAST - FIRST + 1;
/** Mutants per index. */
const BATCH = 190;
/** Only a hang reaches it, even on a busy machine: a prompt of 10 MB takes 7 s to show. */
const LONGEST_COMMAND_MS = 300_000;

/** What no output may contain: the beginning of a terminal sequence, other controls, and characters that reorder text. */
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe('damaged transcripts', () => {
  it.each(AGENTS)(
    `%s: survives the whole way from index to restore (${MUTANTS} mutants)`,
    {
      timeout: 7_200_000,
    },
    async (agent) => {
      const originals = originalsOf(agent);
      const sound = await soundTurns(originals);
      for (let from = FIRST; from < FIRST + MUTANTS; from += BATCH) {
        const world = createWorld(memoryFolder('every-command'));
        const random = seededRandom(77 + from);
        const numbers = Array.from({ length: Math.min(BATCH, FIRST + MUTANTS - from) }, (_, at) => from + at);
        const paths = new Map(
          numbers.map((number) => {
            const id = originals.idOf(`mutant ${number}`);
            return [id, originals.writeMutant(world, id, random)] as const;
          }),
        );
        const witness = originals.idOf('witness');
        originals.writeSound(world, witness, 'witness');
        await wholeWay(world, paths, random);
        expect(await turnsOf(world, witness), `mutants from ${from}`).toEqual(sound);
        rmSync(world.folder, { recursive: true, force: true });
      }
    },
  );
});

/** What a sound session is without damaged ones beside it. */
async function soundTurns(originals: Originals): Promise<unknown> {
  const world = createWorld(memoryFolder('every-command'));
  const witness = originals.idOf('witness');
  originals.writeSound(world, witness, 'witness');
  expect(await run(world, ['index', '--no-embed'])).toMatchObject({ status: 0 });
  const turns = await turnsOf(world, witness);
  expect(JSON.stringify(turns)).toContain('add a witness');
  return turns;
}

async function turnsOf(world: World, id: string): Promise<unknown> {
  return JSON.parse((await run(world, ['show', id, '--json'])).stdout).turns;
}

async function wholeWay(world: World, paths: Map<string, string | null>, random: Random): Promise<void> {
  const before = readdirSync(world.folder).sort();
  const indexed = await run(world, ['index', '--no-embed', '--archive', '--json']);
  expect(indexed, indexed.stderr).toMatchObject({ status: 0 });
  const report = JSON.parse(indexed.stdout);
  expect(report.found, indexed.stdout).toBe(report.indexed + report.empty);
  // Every file is counted; the sound one is among them.
  expect(report.found + report.duplicates + report.failed.length, indexed.stdout).toBe(paths.size + 1);
  for (const { reason } of report.failed) expect(reason).toBe('its beginning names no session');
  const { sessions } = JSON.parse((await run(world, ['sessions', '--limit', '200', '--json'])).stdout);
  expect(sessions).toHaveLength(report.indexed);
  for (const words of LISTS) await survives(world, words);
  const known = (sessions as { session_id: string }[]).map(({ session_id }) => session_id);
  for (const id of known.filter((one) => paths.has(one)))
    for (const words of perSession(id, random)) await survives(world, words);
  await restoresDeleted(world, known, paths);
  const added = readdirSync(world.folder).filter((name) => !before.includes(name));
  expect(added.filter((name) => !['home', 'tmp', 'export'].includes(name))).toEqual([]);
}

const LISTS = [
  ['search', 'add a thing to the parser'],
  ['sessions'],
  ['stats'],
  ['recall', 'what did we decide about the parser'],
  ['topics', '--limit', '100'],
  ['open', '--everywhere'],
  ['timeline', '--everywhere'],
  ['memory', 'stats'],
  ['usage', '--by', 'day'],
  ['doctor'],
  ['export', '--to', 'export'],
];

/** In a long campaign, two of the commands for every eighth session. */
function perSession(id: string, random: Random): string[][] {
  const all = [
    ['show', id],
    ['show', id, '--json'],
    ['retrieve', id, '--query', 'parser'],
    ['restore', id, '--print'],
    ['fork', id, '--check'],
    ['chain', id],
  ];
  if (MUTANTS <= BATCH) return all;
  if (random(8) > 0) return [];
  const first = random(all.length);
  return all.filter((_, at) => at === first || at === (first + 1 + random(2)) % all.length);
}

/** A deleted transcript comes back from the archive byte for byte. */
async function restoresDeleted(
  world: World,
  known: string[],
  paths: Map<string, string | null>,
): Promise<void> {
  for (const id of known.slice(0, 8)) {
    const path = paths.get(id);
    if (typeof path !== 'string') continue;
    const bytes = readFileSync(path);
    rmSync(path);
    const { stdout } = await run(world, ['restore', id, '--to', world.folder, '--json']);
    const restored = JSON.parse(stdout);
    if (restored.error === undefined)
      expect(readFileSync(restored.path).equals(bytes), `${id}: ${stdout}`).toBe(true);
    else expect(restored.error.message, stdout).toMatch(/cannot get an archived session back/);
  }
}

/** Runs in this process even in a slow run, because starting Node takes longer than these commands. */
function run(world: World, words: string[]): ReturnType<typeof runHere> {
  return runHere(words, { cwd: world.folder, env: cliEnvironment(world) });
}

/** Expects an exit code of smart-fork's own, in time, and no control character. */
async function survives(world: World, words: string[]): Promise<void> {
  const started = performance.now();
  const { status, stdout, stderr } = await run(world, words);
  expect(performance.now() - started, words.join(' ')).toBeLessThan(LONGEST_COMMAND_MS);
  // 2: what the agent lacks.
  expect(words[0] === 'restore' ? [0, 1, 2] : [0, 1], `${words.join(' ')}: ${stderr}`).toContain(status);
  expect(stderr).not.toMatch(/internal error|TypeError|RangeError|SqliteError/i);
  expect(stdout.replace(/\x1b\[[\d;]*m/g, ''), words.join(' ')).not.toMatch(UNSAFE);
}

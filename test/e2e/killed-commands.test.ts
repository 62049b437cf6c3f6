import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../support/campaign.ts';
import { writeIdentity } from '../support/files/bundles.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import {
  type KilledCommand,
  keepWorld,
  randomSteps,
  runToStep,
  sessionsIn,
} from '../support/machines/kill-command.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import type { World } from '../support/machines/world.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { seededRandom } from '../support/random.ts';
import { claudePath, jsonl } from '../support/transcripts/claude-transcripts.ts';
import { makeCorpus } from '../support/transcripts/corpus.ts';

const KILLS = rounds({ quick: 1, slow: 29 });
const CORPUS = makeCorpus(8, 6);
const OTHERS = makeCorpus(4, 6, 2);
const [FIRST, SECOND] = CORPUS.map(({ id }) => id);

const world = sharedWorld();
let restoreWorld: () => void;
const bundle = { file: '', key: '' };

beforeAll(async () => {
  const machine = world();
  await makeBundle(machine);
  for (const { id, lines } of CORPUS) writeTranscript(machine, id, lines);
  await run(machine, ['index', '--no-embed', '--archive']);
  // So that the worker and memory backfill have something to do.
  const [, , grown, alsoGrown] = CORPUS;
  for (const one of [grown, alsoGrown])
    appendFileSync(
      claudePath(machine.claudeHome, one?.id ?? ''),
      jsonl((OTHERS[3]?.lines ?? []).slice(0, 4)),
    );
  restoreWorld = keepWorld(machine, `${machine.folder}-kept`);
}, 60_000);

afterAll(() => rmSync(`${world().folder}-kept`, { recursive: true, force: true }));

interface Case {
  words: () => string[];
  /** How the start of the command differs from the other cases. */
  prepare?: (machine: World) => void;
  /** Whether it talks to a server, which is empty at first. */
  hasServer?: true;
}

const COMMANDS: Record<string, Case> = {
  reindex: { words: () => ['reindex', '--yes', '--no-embed'] },
  'the worker': { words: () => ['worker', '--drain'] },
  restore: {
    words: () => ['restore', FIRST ?? ''],
    prepare: ({ claudeHome }) => rmSync(claudePath(claudeHome, FIRST ?? '')),
  },
  migrate: { words: () => ['migrate', '--to', 'qdrant', '--json'], hasServer: true },
  import: { words: () => ['import', bundle.file, '--identity', bundle.key] },
  'memory backfill': { words: () => ['memory', 'backfill', '--all'] },
  note: { words: () => ['note', SECOND ?? '', 'look here'] },
};

describe(`a command that is killed at ${KILLS} steps`, () => {
  for (const [name, given] of Object.entries(COMMANDS))
    it(`leaves each session old or new, doctor finds nothing damaged, and the next run completes it: ${name}`, {
      timeout: 60_000 + KILLS * 10_000,
    }, async () => {
      const { before, after, expected, steps } = await runOnce(given);
      let killed = 0;
      for (const step of randomSteps(steps, KILLS, seededRandom(steps)))
        await withServer(given, async (command) => {
          prepare(given);
          if ((await runToStep(world(), command, step)).isKilled) killed += 1;
          const at = `killed before step ${step} of ${steps}`;
          await expectSound(at, before, after);
          await run(world(), command.words, command.env);
          expect(sessionsIn(world().home), at).toEqual(after);
          expect(contents(world()), at).toEqual(expected);
          if (given.hasServer !== true) return;
          const again = await runJson(world(), command.words, command);
          expect(again, at).toMatchObject({ found: CORPUS.length, copied: 0, same: CORPUS.length, left: [] });
        });
      expect(killed).toBeGreaterThan(0);
    });
});

/** The same run without a kill. */
async function runOnce(given: Case) {
  prepare(given);
  const before = sessionsIn(world().home);
  const { steps } = await withServer(given, (command) => runToStep(world(), command, null));
  expect(steps).toBeGreaterThan(3);
  return { before, steps, after: sessionsIn(world().home), expected: contents(world()) };
}

function prepare({ prepare: change }: Case): void {
  restoreWorld();
  change?.(world());
}

async function withServer<T>(
  { words, hasServer }: Case,
  work: (command: KilledCommand) => Promise<T>,
): Promise<T> {
  if (hasServer !== true) return work({ words: words() });
  const double = await startCheckedDouble();
  try {
    return await work({ words: words(), env: { QDRANT_URL: double.url } });
  } finally {
    await double.close();
  }
}

async function expectSound(at: string, before: Map<string, string>, after: Map<string, string>) {
  const { checks } = await runJson(world(), ['doctor']);
  expect(
    (checks as { status: string }[]).filter(({ status }) => status === 'fail'),
    at,
  ).toEqual([]);
  for (const [id, text] of sessionsIn(world().home))
    expect([before.get(id), after.get(id)], `${at}, ${id}`).toContain(text);
}

/** The machine's files; transcripts with their length. Databases, logs and caches change with time. */
function contents({ folder }: World): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/\.(?:db-wal|db-shm|log|lock)$/.test(path))
    .map((path) => (path.endsWith('.jsonl') ? `${path} ${readFileSync(join(folder, path)).length}` : path))
    .sort();
}

async function makeBundle(machine: World): Promise<void> {
  const other = {
    ...machine.env,
    SMART_FORK_HOME: join(machine.folder, 'other'),
    CLAUDE_CONFIG_DIR: join(machine.folder, 'elsewhere'),
  };
  for (const { id, lines } of OTHERS) {
    const path = claudePath(other.CLAUDE_CONFIG_DIR, id);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, jsonl(lines));
  }
  bundle.file = join(machine.folder, 'sessions.age');
  bundle.key = join(machine.folder, 'key');
  const { recipient } = await writeIdentity(bundle.key);
  await run(machine, ['index', '--no-embed'], other);
  await run(machine, ['export', '--bundle', bundle.file, '--recipient', recipient], other);
  expect(existsSync(bundle.file)).toBe(true);
}

function writeTranscript(machine: World, id: string, lines: Parameters<typeof jsonl>[0]): void {
  const path = claudePath(machine.claudeHome, id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, jsonl(lines));
}

async function run(machine: World, words: string[], env: Record<string, string> = {}): Promise<void> {
  const { status, stderr, stdout } = await runCli(machine, words, { env });
  expect(status, `${words.join(' ')}: ${stderr}${stdout}`).toBe(0);
}

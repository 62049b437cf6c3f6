import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/campaign.ts';
import { findShared } from '../support/files/find-shared.ts';
import { memoryFolder } from '../support/files/temp-folder.ts';
import { cliEnvironment } from '../support/machines/cli.ts';
import { runHere } from '../support/machines/run-here.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { pick, type Random, replacePart, seededRandom } from '../support/random.ts';
import { jsonl, sampleLines, stampLines, uuidOf } from '../support/transcripts/claude-transcripts.ts';

/** Part of the campaign: `SMART_FORK_TEST_MUTANTS=3000-3999`. */
const [FIRST = 0, LAST] = (process.env.SMART_FORK_TEST_MUTANTS?.split('-') ?? []).map(Number);
const MUTANTS = LAST === undefined ? rounds({ quick: 16, slow: 10_000 }) : LAST - FIRST + 1;
/** Mutants per index. */
const BATCH = 100;

/** What no output may contain: the beginning of a terminal sequence, other controls, and characters that reorder text. */
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe('damaged transcripts of both agents', () => {
  it(`survives index, search, recall, show, retrieve, restore and fork --check on damaged transcripts (${MUTANTS} mutants)`, {
    timeout: 7_200_000,
  }, async () => {
    const originals = [...samplesOf('claude'), ...samplesOf('codex')];
    for (let from = FIRST; from < FIRST + MUTANTS; from += BATCH) {
      const world = createWorld(memoryFolder('every-command'));
      const random = seededRandom(77 + from);
      const ids = Array.from({ length: Math.min(BATCH, FIRST + MUTANTS - from) }, (_, at) =>
        writeMutant(world, pick(random, originals), from + at, random),
      );
      await wholeWay(world, ids);
      rmSync(world.folder, { recursive: true, force: true });
    }
  });
});

async function wholeWay(world: World, ids: string[]): Promise<void> {
  const before = readdirSync(world.folder).sort();
  const indexed = await run(world, ['index', '--no-embed', '--archive']);
  expect(indexed, indexed.stderr).toMatchObject({ status: 0 });
  expect(indexed.stdout + indexed.stderr).not.toContain('could not be read');
  const { sessions } = JSON.parse((await run(world, ['sessions', '--limit', '200', '--json'])).stdout);
  expect(sessions).toEqual(expect.any(Array));
  for (const words of [
    ...[['search', 'add a thing to the parser'], ['sessions'], ['stats']],
    ...[
      ['recall', 'what did we decide about the parser', '--all'],
      ['topics', '--limit', '100'],
    ],
    ...[
      ['open', '--all'],
      ['timeline', '--all'],
      ['memory', 'stats'],
    ],
  ])
    await survives(world, words);
  const known = new Set((sessions as { session_id: string }[]).map(({ session_id }) => session_id));
  for (const id of ids.filter((one) => known.has(one))) {
    await survives(world, ['show', id]);
    await survives(world, ['retrieve', id, '--query', 'parser']);
    await survives(world, ['restore', id, '--print']);
    await survives(world, ['fork', id, '--check']);
  }
  const added = readdirSync(world.folder).filter((name) => !before.includes(name));
  expect(added.filter((name) => !['home', 'tmp'].includes(name))).toEqual([]);
}

/** Runs in this process even in a slow run, because starting Node takes longer than these commands. */
function run(world: World, words: string[]): ReturnType<typeof runHere> {
  return runHere(words, { cwd: world.folder, env: cliEnvironment(world) });
}

/** Expects an exit code of smart-fork's own, and no control character. */
async function survives(world: World, words: string[]): Promise<void> {
  const { status, stdout, stderr } = await run(world, words);
  expect([0, 1], `${words.join(' ')}: ${stderr}`).toContain(status);
  expect(stderr).not.toMatch(/internal error|TypeError|RangeError/i);
  expect(stdout.replace(/\x1b\[[\d;]*m/g, ''), words.join(' ')).not.toMatch(UNSAFE);
}

interface Original {
  agent: 'claude' | 'codex';
  lines: string[];
}

/** Real transcripts if there are any, else generated ones; the first lines of each. */
function samplesOf(agent: 'claude' | 'codex'): Original[] {
  const corpus = findShared('corpora');
  const root = corpus === null ? null : join(corpus, agent);
  if (root === null || !existsSync(root))
    return [{ agent: 'claude', lines: jsonl(stampLines(sampleLines())).trimEnd().split('\n') }];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && /projects|rollout-/.test(name))
    .sort()
    .slice(0, 40)
    .map((name) => ({ agent, lines: readFileSync(join(root, name), 'utf8').split('\n').slice(0, 60) }));
}

function writeMutant(world: World, { agent, lines }: Original, number: number, random: Random): string {
  const id = agent === 'claude' ? uuidOf(`mutant ${number}`) : `019f${uuidOf(`mutant ${number}`).slice(4)}`;
  const path =
    agent === 'claude'
      ? join(world.claudeHome, 'projects', 'p', `${id}.jsonl`)
      : join(world.codexHome, 'sessions', '2026', '07', '01', `rollout-2026-07-01T09-00-00-${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, mutate(lines, random));
  return id;
}

function mutate(lines: string[], random: Random): Buffer {
  const changed = [...lines];
  for (let count = 1 + random(6); count > 0; count -= 1) {
    const at = random(changed.length);
    const text = changed[at] ?? '';
    changed[at] = pick(random, MUTATIONS)(text, random, changed);
  }
  const bytes = Buffer.from(changed.join(random(10) === 0 ? '\r\n' : '\n'));
  return random(8) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
}

const ODD = [null, 0, -1, 1e308, '', '\0', '\ud800', [], {}, true, [[]], '$(touch PWN)', '`id`', "'; id; '"];
const ODD_TEXTS = [
  '\u001b]52;c;aGk=\u0007',
  '\u202e',
  '../../etc/passwd',
  '/etc/passwd',
  '\n\u001b[2J',
  '9999-99-99T99:99:99Z',
  '1901-01-01T00:00:00.000Z',
  '+12026-01-01T00:00:00.000Z',
  "a'; touch PWN; echo '",
];

type Mutation = (line: string, random: Random, all: string[]) => string;

const MUTATIONS: Mutation[] = [
  (line, random) => line.slice(0, random(line.length + 1)),
  (line) => line + line,
  (line, random, all) => all[random(all.length)] ?? line,
  () => '',
  (line) => `\ufeff${line}`,
  (line, random) => `${line.slice(0, random(line.length + 1))}\0\u0001\u001b[31m${line.slice(-20)}`,
  (_, random) => `${'{"message":['.repeat(random(5000))}1`,
  (line) =>
    line
      .replaceAll(/"uuid":"[^"]*"/g, '"uuid":"same"')
      .replaceAll(/"parentUuid":"[^"]*"/g, '"parentUuid":"same"'),
  (line, random) => line.replace(/"cwd":"[^"]*"/, `"cwd":${JSON.stringify(pick(random, ODD_TEXTS))}`),
  (line, random) =>
    line.replace(
      /"timestamp":"[^"]*"/,
      `"timestamp":${JSON.stringify(pick(random, [...ODD, ...ODD_TEXTS]))}`,
    ),
  ...[1, 2, 3].map((): Mutation => (line, random) => withOddValue(line, random)),
];

/** A value of the wrong type or content in any field, however deep. */
function withOddValue(line: string, random: Random): string {
  try {
    return JSON.stringify(replaceOne(JSON.parse(line), random));
  } catch {
    // An earlier mutation broke the line.
    return line;
  }
}

function replaceOne(value: unknown, random: Random): unknown {
  return replacePart(value, random, 6, (old) =>
    pick(random, typeof old === 'string' ? [...ODD_TEXTS, ...ODD] : ODD),
  );
}

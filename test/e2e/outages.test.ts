import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { createSharingWorld, IMPATIENT, writeSession } from '../support/machines/sharing-world.ts';
import { startServe } from '../support/machines/start-serve.ts';
import type { QdrantDouble } from '../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { line, toolPair, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const [THEIRS, OURS] = [uuidOf('theirs'), uuidOf('ours')];
const TALK = [
  line.user('Paint the zebra'),
  line.assistant(
    'The zebra is painted.\nWORKING_SOLUTION: paint the zebra with lacquer\nWAITING: feed the zebra',
  ),
  ...toolPair(
    'TodoWrite',
    { todos: [{ content: 'Feed the zebra before noon', status: 'pending', activeForm: 'Feeding' }] },
    'ok',
  ),
  line.assistant('Done so far.'),
];
const ONLY_HERE = /^! only this machine’s sessions: /;

/** What a server can do to a machine that asks it. */
const OUTAGES: Record<string, (double: QdrantDouble) => void> = {
  'drops connections': (double) => {
    double.options.fault = () => ({ cut: 'before' });
  },
  'does not answer in time': (double) => {
    double.options.fault = () => ({ delay: 120_000 });
  },
  'fails with 500': (double) => {
    double.options.fault = () => ({ answer: 500 });
  },
  'refuses with 400': (double) => {
    double.options.fault = () => ({ answer: 400 });
  },
  'rejects the key': (double) => {
    double.options.keys = { write: 'another key' };
  },
  'lost one shard of three': (double) => {
    double.collections.get('claude_sessions')?.shards.lost.add(1);
  },
};

/** Commands whose answer needs all sessions. */
const LISTS = [
  ['search', 'zebra'],
  ['sessions'],
  ['recall', 'what', 'about', 'the', 'zebra'],
  ['open'],
  ['timeline'],
  ['topics'],
  ['stats'],
  ['memory', 'stats'],
];

/** Commands that ask for one session. */
const ONE = [
  ['show', THEIRS],
  ['fork', THEIRS, '--print'],
];

async function twoMachines() {
  const double = await startCheckedDouble();
  onTestFinished(() => double.close());
  const [atlas, borea] = ['atlas', 'borea'].map((name) => createSharingWorld(name, double.url, IMPATIENT));
  if (atlas === undefined || borea === undefined) throw new Error('there are two machines');
  for (const machine of [atlas, borea]) await runCli(machine, ['config', 'set', 'qdrant.shards', '3']);
  writeSession(atlas, THEIRS, TALK);
  await runJson(atlas, ['index', '--no-embed']);
  return { double, borea };
}

describe.each(Object.entries(OUTAGES))('with a server that %s', { timeout: 120_000 }, (name, begin) => {
  it('fails where this machine has nothing to show, and says only why', async () => {
    const { double, borea } = await twoMachines();
    begin(double);
    for (const words of [...LISTS, ...(name.includes('shard') ? [] : ONE)]) {
      const { status, stdout, stderr } = await runCli(borea, words);
      expect([words, status, stdout]).toEqual([words, 1, '']);
      expect(stderr.split('\n').find((text) => text.startsWith('error: '))).toBeDefined();
      expect(stderr.replace(/\s+/g, ' ')).toMatch(/(nothing was found|no session) on this machine/);
      expect(stderr).not.toMatch(/No session|Nothing to search|Nothing is|don't say/);
    }
    for (const words of LISTS) {
      const { status, stdout } = await runCli(borea, [...words, '--json']);
      expect([words, status, JSON.parse(stdout)]).toEqual([
        words,
        1,
        { error: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) },
      ]);
    }
  });

  it('says so before the sessions of this machine', async () => {
    const { double, borea } = await twoMachines();
    writeSession(borea, OURS, TALK);
    await runJson(borea, ['index', '--no-embed']);
    begin(double);
    for (const words of LISTS) {
      const { status, stdout, stderr } = await runCli(borea, words);
      expect([words, status]).toEqual([words, 0]);
      // A search and a recall are read as one page.
      expect(['search', 'recall'].includes(words[0] ?? '') ? stdout : stderr).toMatch(ONLY_HERE);
      expect((stdout + stderr).match(/only this machine’s sessions/g)).toHaveLength(1);
      expect((await runJson(borea, words)).notices).toMatchObject([
        { message: expect.stringContaining('only this machine’s sessions') },
        ...(words[0] === 'search' ? [{ code: 'KEYWORD_ONLY' }] : []),
      ]);
    }
  });
});

const TOOLS = [
  ['fork_detect', { intent: 'paint the zebra' }],
  ['list_sessions', {}],
  ['recall', { query: 'what about the zebra' }],
  ['list_open', {}],
  ['timeline', {}],
  ['list_topics', {}],
  ['session_stats', {}],
] as const;

it('is an error of every tool and route that has nothing to show, and comes first in the others', {
  timeout: 120_000,
}, async () => {
  const { double, borea } = await twoMachines();
  double.options.fault = () => ({ answer: 503 });
  const env = { ...borea.env, PATH: process.env.PATH ?? '' };
  const alone = await connect(env, borea.repository, {});
  onTestFinished(alone.close);
  for (const [name, args] of TOOLS) {
    const { isError, text } = await alone.call(name, args);
    expect([name, isError, text]).toEqual([
      name,
      true,
      expect.stringContaining('nothing was found on this machine'),
    ]);
  }
  const served = await startServe({ env, cwd: borea.repository }, '--no-worker');
  const get = async (path: string) => {
    const response = await fetch(`${served.url}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${served.token}` },
    });
    return { status: response.status, body: (await response.json()) as { notices?: unknown } };
  };
  const routes = ['search?q=zebra', 'sessions', 'recall?q=zebra', 'ideas', 'topics', 'days?days=3660'];
  for (const path of routes) expect([path, (await get(path)).status]).toEqual([path, 503]);

  double.options.fault = () => null;
  writeSession(borea, OURS, TALK);
  await runJson(borea, ['index', '--no-embed']);
  double.options.fault = () => ({ answer: 503 });
  for (const [name, args] of TOOLS) {
    const { isError, text } = await alone.call(name, args);
    expect([name, isError]).toEqual([name, false]);
    expect(text).toMatch(/^note: only this machine’s sessions: /);
    expect(text.match(/only this machine’s sessions/g)).toHaveLength(1);
  }
  // Many requests at once, as from the page: each says what it lacks.
  const answers = await Promise.all(routes.map(get));
  for (const [at, { status, body }] of answers.entries()) {
    expect([routes[at], status]).toEqual([routes[at], 200]);
    expect(body.notices).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining('only this machine’s sessions') }),
      ]),
    );
  }
  await served.stop('SIGTERM');
});

it('fails with a damaged index, and without the model for a search by meaning', {
  timeout: 60_000,
}, async () => {
  const { borea } = await twoMachines();
  mkdirSync(borea.home, { recursive: true });
  writeFileSync(join(borea.home, 'index.db'), 'not a database '.repeat(1000));
  for (const words of LISTS)
    expect([words, await runCli(borea, words)]).toMatchObject([words, { status: 1, stdout: '' }]);
  rmSync(join(borea.home, 'index.db'));
  expect(await runCli(borea, ['search', 'zebra', '--mode', 'dense'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: /),
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig, openSmartFork, type SmartFork } from '../../src/index.ts';
import { runJson } from '../support/machines/cli.ts';
import {
  CARDS,
  type Connection,
  claudeLines,
  connect,
  createWorld,
  LOGIN,
} from '../support/machines/mcp-world.ts';
import { runProgram } from '../support/machines/run-program.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';
import { createSharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { line, uuidOf } from '../support/transcripts/claude-transcripts.ts';

let server: Served;
let tools: Connection;
let library: SmartFork;

beforeAll(async () => {
  const world = createWorld();
  // Two sessions alike; the folder in which the server runs is the repository of the second.
  const elsewhere = join(world.folder, 'elsewhere');
  mkdirSync(join(world.project, '.git'), { recursive: true });
  mkdirSync(elsewhere);
  for (const [id, cwd] of [
    [uuidOf('elsewhere'), elsewhere],
    [uuidOf('here'), world.project],
  ] as const)
    world.transcript(
      id,
      claudeLines(id, cwd, [
        { user: 'Calibrate the zanzibar crane' },
        { assistant: 'The crane is calibrated.' },
      ]),
    );
  server = await serveWorld([], world);
  tools = await world.connect();
  library = await openSmartFork(await loadConfig(world.env));
});

afterAll(async () => {
  await library.close();
  await tools.close();
  await server.stop();
  server.world.remove();
});

const cli = async (...words: string[]) => {
  const { stdout } = await runProgram([...words, '--json'], {
    cwd: server.world.project,
    env: server.world.env,
  });
  return JSON.parse(stdout);
};
const rest = async (path: string) => (await server.ask(path)).json;

describe('tags', () => {
  it('finds a tag by its name, with capitals or #, however it was set', async () => {
    await cli('tag', CARDS, 'Baseline');
    await server.ask(`/api/v1/sessions/${LOGIN}/tags`, {
      method: 'PUT',
      body: { tags: ['#Baseline', 'auth'] },
    });
    for (const tag of ['baseline', 'Baseline', '#baseline', '#BaseLine']) {
      const lists = [
        await cli('sessions', '--tag', tag),
        (await tools.call('list_sessions', { tag })).structured,
        await rest(`/api/v1/sessions?tag=${encodeURIComponent(tag)}`),
        await library.sessions({ tag }),
      ];
      for (const { sessions } of lists)
        expect(sessions.map((one: { session_id: string }) => one.session_id).sort(), tag).toEqual(
          [CARDS, LOGIN].sort(),
        );
    }
  });

  it('sends a tag that is set through MCP to the server at once', { timeout: 60_000 }, async () => {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const world = createSharingWorld('atlas', double.url);
    const id = uuidOf('tagged');
    writeSession(world, id, [line.user('Paint the zebra'), line.assistant('It is painted.')]);
    await runJson(world, ['index']);
    const { call, close } = await connect(
      { ...world.env, PATH: process.env.PATH ?? '' },
      world.repository,
      {},
    );
    onTestFinished(close);
    expect((await call('tag_session', { session_id: id, add: ['Done'] })).isError).toBe(false);
    const other = createSharingWorld('borea', double.url);
    expect(await runJson(other, ['sessions', '--tag', 'done'])).toMatchObject({
      sessions: [{ session_id: id }],
    });
  });
});

describe('the preferred repository', () => {
  it('is that of the caller, and everywhere turns it off', async () => {
    const [here, elsewhere] = [uuidOf('here'), uuidOf('elsewhere')];
    const first = ({
      results,
      preferred,
    }: {
      results: { session_id: string }[];
      preferred?: string | null;
    }) => [results[0]?.session_id, preferred ?? null];
    const query = 'calibrate the zanzibar crane';
    const q = encodeURIComponent(query);
    const plain = first(await rest(`/api/v1/search?q=${q}&everywhere=1`));
    expect(plain[1]).toBeNull();
    expect(first(await cli('search', query, '--everywhere'))).toEqual(plain);
    expect(first((await tools.call('fork_detect', { intent: query, everywhere: true })).structured)).toEqual(
      plain,
    );
    expect(first(await library.search({ query, everywhere: true }))).toEqual(plain);
    const preferring = first(await cli('search', query));
    expect(preferring[0]).toBe(here);
    expect(first(await rest(`/api/v1/search?q=${q}`))).toEqual(preferring);
    expect(first((await tools.call('fork_detect', { intent: query })).structured)).toEqual(preferring);
    expect([here, elsewhere]).toContain(plain[0]);
  });
});

describe('a mode that needs a model', () => {
  it('falls back to keywords with a notice if it comes from the settings, and fails if it was asked for', async () => {
    const { world } = server;
    writeFileSync(
      join(world.env.SMART_FORK_HOME ?? '', 'config.json'),
      JSON.stringify({ search: { mode: 'dense' } }),
    );
    const fresh = await openSmartFork(await loadConfig(world.env));
    const client = await world.connect();
    onTestFinished(async () => {
      await fresh.close();
      await client.close();
      writeFileSync(join(world.env.SMART_FORK_HOME ?? '', 'config.json'), '{}');
    });
    const query = 'calibrate the zanzibar crane';
    const q = encodeURIComponent(query);
    const answers = [
      await cli('search', query),
      await rest(`/api/v1/search?q=${q}`),
      await fresh.search({ query }),
    ];
    for (const { mode, notices, results } of answers) {
      expect(mode).toBe('keyword');
      expect(results.length).toBeGreaterThan(0);
      expect(notices.map(({ message }: { message: string }) => message).join()).toContain('keyword only');
    }
    const { structured } = await client.call('fork_detect', { intent: query });
    expect(structured.mode).toBe('keyword');
    expect(structured.warnings.join()).toContain('keyword only');
    expect(await cli('search', query, '--mode', 'dense')).toMatchObject({
      error: { code: 'MODEL_UNAVAILABLE' },
    });
    expect(await rest(`/api/v1/search?q=${q}&mode=dense`)).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await expect(fresh.search({ query, mode: 'dense' })).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });
});

describe('names', () => {
  it('takes query for q, and q for query', async () => {
    const ids = ({ results }: { results: { session_id: string }[] }) => results.map((one) => one.session_id);
    const expected = ids(await rest('/api/v1/search?q=zanzibar'));
    expect(ids(await rest('/api/v1/search?query=zanzibar'))).toEqual(expected);
    const asked = await server.ask('/api/v1/search', { body: { query: 'zanzibar' } });
    expect(ids(asked.json)).toEqual(expected);
    expect(
      (await server.ask('/chunks/search', { body: { q: 'zanzibar' } })).json.chunks.length,
    ).toBeGreaterThan(0);
    expect(ids((await tools.call('fork_detect', { q: 'zanzibar' })).structured)).toEqual(expected);
    expect(ids((await tools.call('fork_detect', { query: 'zanzibar' })).structured)).toEqual(expected);
    expect((await tools.call('recall', { q: 'zanzibar' })).isError).toBe(false);
    const given = { q: 'zanzibar' } as unknown as { query: string };
    expect(ids(await library.search(given))).toHaveLength(expected.length > 5 ? 5 : expected.length);
  });
});

describe('a wrong input', () => {
  it('is refused by the library with the field’s name', async () => {
    await expect(library.recall({ query: ' ' })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the question is empty',
    });
    await expect(library.sessions({ limit: 0 })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'limit 0 is not a whole number from 1 to 1000',
    });
    const unknown = { repos: '.' } as object;
    await expect(library.sessions(unknown)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'unknown: repos',
    });
  });
});

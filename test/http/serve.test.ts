import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchInServer } from '../../src/compose/serve/ask-server.ts';
import { loadConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/http/start-server.ts';
import { CARDS, CLI, claudeLines, createWorld, type World } from '../support/machines/mcp-world.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

let server: Served;

beforeAll(async () => {
  server = await serveWorld();
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

const QUERY = ['add', 'token', 'usage', 'cards'];

describe('smart-fork serve', () => {
  it('says where a running server is', () => {
    const again = run(server.world, ['serve', '--json']);
    expect([again.status, JSON.parse(again.stdout)]).toEqual([
      0,
      { url: server.url, pid: server.process.pid, running: true },
    ]);
    const elsewhere = run(server.world, ['serve', '--port', '8799']);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([2, expect.stringContaining(server.url)]);
  });

  it('refuses to listen for other machines without a token file, or with one that others can read', async () => {
    const { world } = server;
    const env = { ...world.env, SMART_FORK_HOME: join(world.folder, 'other') };
    const bare = run({ ...world, env }, ['serve', '--host', '0.0.0.0', '--port', '0']);
    expect([bare.status, bare.stderr]).toEqual([2, expect.stringContaining('--token-file')]);
    const file = join(world.folder, 'token');
    writeFileSync(file, `${'a'.repeat(40)}\n`, { mode: 0o644 });
    const open = run({ ...world, env }, ['serve', '--host', '0.0.0.0', '--port', '0', '--token-file', file]);
    expect([open.status, open.stderr]).toEqual([2, expect.stringContaining('others can read')]);
  });

  it('refuses an occupied port if it was requested', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const env = { ...server.world.env, SMART_FORK_HOME: join(server.world.folder, 'third') };
    const refused = run({ ...server.world, env }, ['serve', '--port', String(port)]);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('another program uses it')]);
    taken.close();
  });

  it('takes the next free port if the default is occupied and none was requested', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { world, token } = server;
    const config = await loadConfig({ ...world.env, SMART_FORK_HOME: join(world.folder, 'fourth') });
    const request = { config, token, host: '127.0.0.1', port, version: '0', pageFolder: '', log: String };
    const second = await startServer({ ...request, anyPort: true });
    expect(second.port).toBeGreaterThan(port);
    const answer = await fetch(`${second.url}/openapi.json`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([answer.status, second.url]).toEqual([200, `http://127.0.0.1:${second.port}`]);
    await expect(startServer({ ...request, anyPort: false })).rejects.toMatchObject({ code: 'USAGE' });
    await second.close();
    taken.close();
  });

  it('notifies listeners of a session being written, without a hook, and finds it by search', async () => {
    const events = await listen(server);
    const id = 'eeeeeeee-1111-4222-8333-444444444444';
    const said = [
      { user: 'Calibrate the sundial in the rose garden' },
      { assistant: 'The gnomon was bent.' },
    ];
    server.world.transcript(id, claudeLines(id, server.world.project, said));
    await expect.poll(() => events.of('session'), { timeout: 30_000 }).toContain(id);
    expect(events.of('hello')).toContain('version');
    expect(events.of('index')).toContain('waiting');
    events.close();
    const { json } = await server.ask('/api/v1/search?q=calibrate%20sundial');
    expect(json.results[0].session_id).toBe(id);
  });

  it('answers searches only from commands with its settings and version', async () => {
    const config = await loadConfig(server.world.env);
    const version = (await server.ask('/openapi.json')).json.info.version as string;
    const found = await searchInServer(config, version, { query: QUERY.join(' ') });
    expect(found?.found.results[0]?.session_id).toBe(CARDS);
    // A command that prints them need not open the store.
    expect(CARDS.startsWith(found?.short_ids[CARDS] ?? 'none')).toBe(true);
    expect(await searchInServer(config, 'another', { query: 'x' })).toBeNull();
    const other = await loadConfig({ ...server.world.env, SMART_FORK_MACHINE: 'another' });
    expect(await searchInServer(other, version, { query: 'x' })).toBeNull();
    const unknown = { query: 'x', exclude: ['ffffffff'] };
    await expect(searchInServer(config, version, unknown)).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
    expect(statSync(join(config.home, 'serve.sock')).mode & 0o777).toBe(0o600);
  });
});

it('prints the same results with a server, without one, and after it was killed', async () => {
  const served = await serveWorld(['--no-worker']);
  const print = () =>
    [
      ['search', ...QUERY],
      ['search', ...QUERY, '--json'],
      ['fork', ...QUERY, '--json'],
    ].map((words) => {
      const { stdout } = run(served.world, words);
      return stdout.replace(/"took_ms":\d+|\d+ ms/, '');
    });
  const warm = print();
  served.process.kill('SIGKILL');
  await once(served.process, 'exit');
  expect(existsSync(join(served.world.env.SMART_FORK_HOME ?? '', 'serve.sock'))).toBe(true);
  expect(print()).toEqual(warm);
  expect(warm[1]).toContain(CARDS);
  served.world.remove();
});

it('ends cleanly with Ctrl-C, and leaves nothing that says it is running', async () => {
  const served = await serveWorld();
  const listening = await listen(served);
  expect(await served.stop()).toBe(0);
  expect(served.log()).toBe('');
  listening.close();
  const home = served.world.env.SMART_FORK_HOME ?? '';
  expect([existsSync(join(home, 'serve.json')), existsSync(join(home, 'serve.sock'))]).toEqual([
    false,
    false,
  ]);
  const { worker } = JSON.parse(await served.world.run('status', '--json'));
  expect(worker.running).toBe(false);
  served.world.remove();
});

it('keeps the exported files up to date if the user wants that', async () => {
  const world = createWorld();
  await world.run('config', 'set', 'serve.export', 'true');
  const served = await serveWorld(['--no-worker'], world);
  const file = join(world.env.SMART_FORK_HOME ?? '', 'export', 'claude', `${CARDS}.md`);
  await expect.poll(() => existsSync(file), { timeout: 15_000 }).toBe(true);
  expect(await served.stop()).toBe(0);
  world.remove();
});

function run({ env, project }: Pick<World, 'env' | 'project'>, words: string[]) {
  return spawnSync(process.execPath, [CLI, ...words], {
    env,
    cwd: project,
    encoding: 'utf8',
    timeout: 30_000,
  });
}

/** The events sent so far. */
async function listen({ port, token }: Served): Promise<{ of(event: string): string; close(): void }> {
  let text = '';
  const headers = { authorization: `Bearer ${token}` };
  const sent = request({ host: '127.0.0.1', port, path: '/api/v1/events', headers, agent: false });
  sent.on('error', () => undefined);
  sent.end();
  const [response] = await once(sent, 'response');
  response.on('error', () => undefined);
  response.on('data', (part: Buffer) => {
    text += part.toString();
  });
  // From the second look on, a change counts as news.
  await expect.poll(() => text, { timeout: 15_000 }).toContain('event: index');
  return {
    of: (event) =>
      text
        .split('\n\n')
        .filter((block) => block.includes(`event: ${event}\n`))
        .join('\n'),
    close: () => sent.destroy(),
  };
}

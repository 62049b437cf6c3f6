import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI } from '../support/machines/mcp-world.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

const STATS = '/api/v1/stats';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

let server: Served;

beforeAll(async () => {
  server = await serveWorld(['--no-worker']);
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

const exchange = (code: string) =>
  server.ask('/auth/exchange', { body: { code }, token: null, headers: { 'user-agent': FIREFOX } });

async function signIn(): Promise<string> {
  const { json } = await server.ask('/auth/code', { method: 'POST' });
  const [cookie = ''] = (await exchange(json.code)).headers['set-cookie'] ?? [];
  return cookie.split(';')[0] ?? '';
}

const withCookie = (path: string, cookie: string, body?: unknown) =>
  server.ask(path, { token: null, headers: { cookie }, body });
const logins = async () => (await server.ask('/api/v1/logins')).json.logins;
const run = async (...words: string[]) => JSON.parse(await server.world.run(...words, '--json'));

// The browser is a script.
describe.skipIf(process.platform === 'win32')('serve --open', () => {
  it('gives the browser nothing on its command line that signs somebody in', async () => {
    const opened = open();
    expect(opened.args).toHaveLength(1);
    const file = opened.args[0] ?? '';
    expect(opened.args.join(' ')).not.toContain('code');
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const page = readFileSync(file, 'utf8');
    const code = /#code=([\w-]+)/.exec(page)?.[1] ?? '';
    expect(page).toContain(`location.replace("${server.url}/#code=${code}")`);
    expect(opened.environment).not.toContain(code);
    expect((await exchange(code)).status).toBe(204);
    expect(existsSync(dirname(file))).toBe(false);
    expect((await exchange(code)).status).toBe(401);
  });

  it('prints an address in the terminal if there is no browser', async () => {
    const { stderr } = open('exit 3');
    const code = /within a minute, once: http:\/\/127\.0\.0\.1:\d+\/#code=([\w-]+)/.exec(stderr)?.[1] ?? '';
    expect((await exchange(code)).status).toBe(204);
  });

  it('sends nothing to a server of somebody else at the port of one that was killed', async () => {
    const { env } = server.world;
    const home = join(server.world.folder, 'killed');
    const heard: unknown[] = [];
    const other = createServer((socket) => socket.on('data', (part) => heard.push(String(part))));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    mkdirSync(home, { mode: 0o700 });
    const url = `http://127.0.0.1:${port}`;
    const record = { pid: process.pid, url, token_file: join(home, 'serve-token'), since: '2026-01-01' };
    writeFileSync(join(home, 'serve.json'), JSON.stringify(record));
    writeFileSync(join(home, 'serve-token'), 'a'.repeat(43), { mode: 0o600 });
    const again = spawn(process.execPath, [CLI, 'serve', '--open'], {
      env: { ...env, SMART_FORK_HOME: home },
    });
    const [code] = await once(again, 'exit');
    other.close();
    expect([code, heard]).toEqual([2, []]);
  });

  function open(end = 'exit 0') {
    const folder = join(server.world.folder, `browser-${end.replace(' ', '-')}`);
    mkdirSync(folder);
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/args\nenv > ${folder}/environment\n${end}\n`;
    for (const name of ['xdg-open', 'open']) writeFileSync(join(folder, name), script, { mode: 0o755 });
    const { env, project } = server.world;
    const { stderr } = spawnSync(process.execPath, [CLI, 'serve', '--open'], {
      cwd: project,
      env: { ...env, PATH: `${folder}:${env.PATH ?? ''}` },
      encoding: 'utf8',
    });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
    return { args: read('args').split('\n'), environment: read('environment'), stderr };
  }
});

describe('browsers that are signed in', () => {
  it('are listed, and signed out one by one or all at once', async () => {
    await run('logout', '--all');
    const [first, second] = [await signIn(), await signIn()];
    const [known] = await logins();
    expect(known).toMatchObject({ browser: 'Firefox on Linux', since: expect.stringMatching(/Z$/) });
    expect(await run('logins')).toEqual({ logins: await logins() });
    expect((await withCookie(STATS, first)).status).toBe(200);
    const [one] = (await run('logout', known.id.slice(0, 8))).ended;
    expect(one).toBe(known.id);
    const statuses = [await withCookie(STATS, first), await withCookie(STATS, second)];
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await server.ask('/api/v1/logout', { body: { all: true } })).json.ended).toHaveLength(1);
    expect(await logins()).toEqual([]);
    expect((await withCookie(STATS, second)).status).toBe(401);
  });

  it('cannot sign others in: what was stolen ends with its login', async () => {
    const cookie = await signIn();
    expect((await withCookie('/auth/code', cookie, {})).status).toBe(401);
  });

  it('get no more events after they were signed out', async () => {
    const cookie = await signIn();
    const stream = await fetch(`${server.url}/api/v1/events`, { headers: { cookie } });
    const reader = stream.body?.getReader();
    await reader?.read();
    await run('logout', '--all');
    await server.world.run('star', (await server.ask('/api/v1/sessions')).json.sessions[0].session_id);
    let ended = false;
    while (!ended) ended = (await reader?.read())?.done ?? true;
    expect(ended).toBe(true);
  });

  it('leave files that only the owner can read and that do not hold the cookie', async () => {
    const cookie = (await signIn()).split('=')[1] ?? '';
    const folder = join(server.world.env.SMART_FORK_HOME ?? '', 'logins');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(name + readFileSync(join(folder, name), 'utf8')).not.toContain(cookie);
    }
  });

  it('are refused by an id that is unknown', async () => {
    const refused = await server.ask('/api/v1/logout', { body: { ids: ['../../serve-token'] } });
    expect([refused.status, refused.json.code]).toEqual([400, 'USAGE']);
  });
});

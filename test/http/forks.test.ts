import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, createWorld, LOGIN } from '../support/machines/mcp-world.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

const QUERY = 'add cards';

let server: Served;
let projects: string;

/** A server whose configured terminal cannot be opened, and a session without a transcript. */
beforeAll(async () => {
  const world = createWorld();
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tmux'), '#!/bin/sh\necho "no server running" >&2; exit 1\n', { mode: 0o755 });
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 9.9.9\n', { mode: 0o755 });
  world.env.PATH = bin + delimiter + world.env.PATH;
  await world.run('config', 'set', 'fork.launch', 'tmux');
  server = await serveWorld(['--no-worker'], world);
  projects = join(world.folder, '.claude', 'projects');
  for (const folder of readdirSync(projects))
    rmSync(join(projects, folder, `${LOGIN}.jsonl`), { force: true });
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

const contexts = () => existsSync(join(server.world.folder, '.smart-fork', 'context'));

describe.skipIf(process.platform === 'win32')('forks over REST', () => {
  it('returns a command that gathers the context when it runs, and writes no file', async () => {
    const command = expect.stringContaining(`smart-fork fork ${LOGIN} --inject --into claude --exec`);
    const planned = await server.ask(`/api/v1/sessions/${LOGIN}/preflight`);
    expect(planned.json).toMatchObject({ way: 'inject', command, launches: true, ready: false });
    const made = await server.ask(`/api/v1/sessions/${LOGIN}/fork`, { body: { query: QUERY, rank: 2 } });
    expect(made.json).toMatchObject({
      way: 'inject',
      command,
      rank: 2,
      first: null,
      result_session_id: null,
    });
    expect(made.json.command).toContain(`'--query=${QUERY}'`);
    expect(made.json.notes[0]).toContain('neither on this machine nor archived');
    expect(contexts()).toBe(false);
  });

  it.each([
    ['a copy up to a turn', CARDS, { turn: 1 }],
    ['a context', LOGIN, { query: QUERY }],
  ])('leaves nothing of %s behind if the terminal cannot be opened', async (_what, id, body) => {
    const files = () =>
      readdirSync(projects, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl'))
        .sort();
    const before = files();
    const { status, json } = await server.ask(`/api/v1/sessions/${id}/launch`, { body });
    expect([status, json.code]).toEqual([409, 'NOT_LAUNCHED']);
    expect(json.detail).toContain('no server running');
    expect(files()).toEqual(before);
    expect(contexts() ? readdirSync(join(server.world.folder, '.smart-fork', 'context')) : []).toEqual([]);
  });

  it('starts a fork in the folder that the user chose, if it is on this machine', async () => {
    const folder = join(server.world.folder, 'other checkout');
    mkdirSync(folder);
    const at = (path: string, turn = '') =>
      server.ask(`/api/v1/sessions/${CARDS}/preflight?folder=${encodeURIComponent(path)}${turn}`);
    const { json: whole } = await at(folder);
    expect(whole).toMatchObject({ directory: folder, facts: { folder } });
    expect(whole.command).toMatch(/^cd '.*other checkout' && claude --resume /);
    const { json: copied } = await at(folder, '&turn=1');
    expect(copied.command).toMatch(/^cd '.*other checkout' && smart-fork fork .* --folder \. --exec$/);
    const { json: none } = await at(join(folder, 'none'));
    expect(none).toMatchObject({ status: 400, code: 'USAGE', detail: `no such folder: ${folder}/none` });
    const printed = JSON.parse(
      await server.world.run('fork', CARDS, '--folder', folder, '--at', '1', '--json'),
    );
    expect(printed.directory).toBe(folder);
  });
});

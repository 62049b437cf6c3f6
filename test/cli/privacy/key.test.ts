import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { openServerStore } from '../../../src/compose/key.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import { qdrantOptions, useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { changeOf } from '../../support/transcripts/sample-sessions.ts';

const PASSPHRASE = { SMART_FORK_PASSPHRASE: 'four words for nobody' };

/** A machine with the given key, or with its own. */
async function machine(line?: string): Promise<World> {
  const world = createWorld();
  const made = await (line === undefined
    ? runCli(world, ['key', 'create'], { env: PASSPHRASE })
    : runCli(world, ['key', 'import'], { input: line }));
  expect(made).toMatchObject({ status: 0, stderr: '' });
  return world;
}

const exported = async (world: World) => (await runCli(world, ['key', 'export'])).stdout;
const idOf = async (world: World) => (await runJson(world, ['key', 'status'])).id;

describe('smart-fork key', { timeout: 30_000 }, () => {
  it('creates a key once, shows it only with export, and imports it on another machine', async () => {
    const first = createWorld();
    expect(await runJson(first, ['key', 'status'])).toEqual({
      id: null,
      path: join(first.home, 'key'),
      kept: null,
      encryption: 'off',
    });
    const made = await runCli(first, ['key', 'create'], { env: PASSPHRASE });
    expect(made.stdout).toContain('smart-fork config set encryption on');
    if (process.platform !== 'win32') expect(statSync(join(first.home, 'key')).mode & 0o777).toBe(0o600);
    const line = await exported(first);
    expect(line).toMatch(/^smart-fork-key-1-[\w-]{75}\n$/);
    const secret = line.slice('smart-fork-key-1-'.length).trim();
    for (const words of [
      ['key', 'status'],
      ['key', 'status', '--json'],
    ]) {
      const { stdout, stderr } = await runCli(first, words);
      expect(stdout + stderr).not.toContain(secret.slice(22, 60));
    }
    const second = await machine(line);
    expect(await idOf(second)).toBe(await idOf(first));
    expect(await exported(second)).toBe(line);
    expect(await runCli(second, ['key', 'import', line.trim()])).toMatchObject({ status: 0 });
    expect(readdirSync(second.home)).toEqual(['key']);
  });

  it('replaces a key only on request, and keeps the old one', async () => {
    const [world, other] = [await machine(), await machine()];
    const [before, line] = [readFileSync(join(world.home, 'key')), await exported(other)];
    const id = await idOf(world);
    const attempts = [
      () => runCli(world, ['key', 'create'], { env: PASSPHRASE }),
      () => runCli(world, ['key', 'import'], { input: line }),
    ];
    for (const attempt of attempts) {
      const { status, stderr } = await attempt();
      expect(status).toBe(2);
      expect(stderr).toContain(`already contains another key, ${id}`);
      expect(stderr).toContain('can no longer read');
      expect(readFileSync(join(world.home, 'key'))).toEqual(before);
    }
    expect(await runCli(world, ['key', 'import', '--force'], { input: line })).toMatchObject({ status: 0 });
    expect(await exported(world)).toBe(line);
    expect(readFileSync(join(world.home, `key-${id}`))).toEqual(before);
  });

  it('replaces a damaged key file only on request', async () => {
    const world = await machine();
    const line = await exported(world);
    writeFileSync(join(world.home, 'key'), '{"version":1');
    for (const words of [
      ['key', 'status'],
      ['key', 'export'],
      ['key', 'import', line.trim()],
    ])
      expect(await runCli(world, words)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('cannot be used'),
      });
    expect(await runCli(world, ['key', 'import', '--force'], { input: line })).toMatchObject({ status: 0 });
    expect(await exported(world)).toBe(line);
    // The errors are logged next to them.
    const keys = readdirSync(world.home).filter((name) => name.startsWith('key'));
    expect(keys.sort()).toEqual(['key', 'key-damaged']);
  });

  it.each([
    ['nothing', ''],
    ['other text', 'hello'],
    ['a part', 'smart-fork-key-1-AAAA'],
  ])('refuses to import %s', async (_, input) => {
    const world = createWorld();
    expect(await runCli(world, ['key', 'import'], { input })).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('not a valid key'),
    });
    expect(await idOf(world)).toBeNull();
  });

  it('requires a long passphrase, and a terminal to ask for it', async () => {
    const world = createWorld();
    for (const SMART_FORK_PASSPHRASE of ['short', undefined])
      expect(await runCli(world, ['key', 'create'], { env: { SMART_FORK_PASSPHRASE } })).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/passphrase/),
      });
    expect(await runCli(world, ['key', 'create', 'in the open'])).toMatchObject({ status: 2 });
    expect(await idOf(world)).toBeNull();
  });

  it('keeps the key when everything else is purged', async () => {
    const world = await machine();
    const { status, stdout } = await runCli(world, ['uninstall', '--purge', '--yes']);
    expect(status).toBe(0);
    expect(stdout).toContain('Kept: key,');
    expect(readdirSync(world.home)).toEqual(['key']);
  });
});

const setUp = useDoubles();

describe('the encryption setting', { timeout: 30_000 }, () => {
  const open = async (world: World, url: string, env: Record<string, string> = {}): Promise<PointStore> =>
    openServerStore(await loadConfig({ ...world.env, ...env }), (seal) =>
      openQdrantPointStore(qdrantOptions(url, { seal })),
    );

  it('enables encryption by setting or by environment, which takes precedence', async () => {
    const world = createWorld();
    const isOn = async (env: Record<string, string> = {}) =>
      (await loadConfig({ ...world.env, ...env })).encryption;
    expect(await isOn()).toBe(false);
    expect(await runCli(world, ['config', 'set', 'encryption', 'on'])).toMatchObject({ status: 0 });
    expect(await isOn()).toBe(true);
    expect(await isOn({ SMART_FORK_ENCRYPTION: 'off' })).toBe(false);
    await expect(isOn({ SMART_FORK_ENCRYPTION: 'maybe' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect((await runCli(world, ['config', 'set', 'encryption', 'maybe'])).status).toBe(2);
    writeFileSync(join(world.home, 'config.json'), '{"encryption": "on",}');
    const problems: string[] = [];
    const tolerant = await loadConfig(world.env, ({ message }) => problems.push(message));
    expect(problems).toHaveLength(1);
    expect(tolerant.encryption).toBe(true);
    writeFileSync(join(world.home, 'config.json'), '{"encryption": "on"}');
    const { stdout, status } = await runCli(world, ['key', 'status']);
    expect(status).toBe(1);
    expect(stdout).toContain('smart-fork key create');
  });

  it('asks for a key before it sends a request to the server', async () => {
    const { double } = await setUp();
    await expect(open(createWorld(), double.url, { SMART_FORK_ENCRYPTION: 'on' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: expect.stringContaining('key create'),
    });
    expect(double.requests).toEqual([]);
  });

  it('lets two machines with one key share a server, and refuses everyone else', async () => {
    const { double } = await setUp();
    const first = await machine();
    const on = { SMART_FORK_ENCRYPTION: 'on' };
    const one = await open(first, double.url, on);
    await one.write([changeOf({ id: 's', chunks: ['the marsupial text'] })]);
    const two = await open(await machine(await exported(first)), double.url, on);
    expect((await two.getChunks('s')).map(({ content }) => content)).toEqual(['the marsupial text']);
    const strangers = [await open(await machine(), double.url, on), await open(first, double.url)];
    for (const stranger of strangers)
      await expect(stranger.getChunks('s')).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    for (const store of [one, two, ...strangers]) await store.close();
  });
});

import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { releaseDatabases } from '../support/stores/release-databases.ts';
import {
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../support/transcripts/claude-transcripts.ts';

/** Indexed once; each test damages a copy of its home. */
const indexed = sharedWorld(async (world) => {
  for (let n = 0; n < 30; n += 1) {
    const sessionId = `11111111-1111-4111-8111-1111111111${String(n).padStart(2, '0')}`;
    const text = Array.from({ length: 400 }, (_, i) => `harbor${n} word${i}`).join(' ');
    const lines = [line.user(`Mend the login ${n}`), line.assistant(text)];
    writeClaude(world.claudeHome, sessionId, stampLines(lines, { sessionId }));
  }
  expect(await runJson(world, ['index'])).toMatchObject({ indexed: 30 });
  await releaseDatabases();
});

let world: World;
let copies = 0;

beforeEach(() => {
  copies += 1;
  const home = join(indexed().folder, `home-${copies}`);
  cpSync(indexed().home, home, { recursive: true });
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  world = { ...indexed(), home, env: { ...indexed().env, SMART_FORK_HOME: home } };
});

function overwrite(path: string, from: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(file);
}

const DAMAGE: [string, (path: string) => void][] = [
  ['overwritten', (path) => writeFileSync(path, 'this is not a database '.repeat(500))],
  ['cut in half', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['emptied', (path) => truncateSync(path, 0)],
  ['damaged in the middle', (path) => overwrite(path, 4096 * 3, 4096 * 4)],
];

describe.each(['index.db', 'state.db'])('%s', (name) => {
  it.each(DAMAGE)('reports a database that was %s in doctor and status, with the fix', async (_, damage) => {
    const path = join(world.home, name);
    damage(path);
    const doctor = await runCli(world, ['doctor', '--json']);
    expect(doctor.status).toBe(1);
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(
      expect.objectContaining({
        status: 'fail',
        message: expect.stringContaining(path),
        fix: expect.stringContaining(`Move ${path} aside`),
      }),
    );
    const status = await runCli(world, ['status']);
    expect(status.status).toBe(1);
    expect(status.stdout.replace(/\s+/g, ' ')).toContain(`Move ${path} aside`);
  });

  it('reports a database written by a newer smart-fork in doctor and status', async () => {
    const database = openDatabase(join(world.home, name));
    database.exec('PRAGMA user_version = 999');
    database.close();
    const doctor = await runCli(world, ['doctor']);
    expect([doctor.status, doctor.stdout.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(/was written by a newer smart-fork.* Update smart-fork/),
    ]);
    expect((await runCli(world, ['status'])).status).toBe(1);
  });
});

it('says at a damaged state.db that sessions must be forgotten again, and not that it is rebuilt', async () => {
  writeFileSync(join(world.home, 'state.db'), 'this is not a database '.repeat(500));
  const { status, stderr } = await runCli(world, ['index', '--no-embed']);
  expect(status).toBe(1);
  expect(stderr).toContain('run smart-fork forget again');
  expect(stderr).not.toContain('rebuilt');
});

describe('the archive', () => {
  it.each(['missing', 'damaged'])('reports an archive in which a part is %s in doctor', async (how) => {
    const archive = join(world.home, 'archive');
    const folder = join(archive, readdirSync(archive)[0] ?? '');
    const part = join(folder, readdirSync(folder).find((file) => !file.endsWith('.json')) ?? '');
    if (how === 'missing') truncateSync(part, 3);
    else overwrite(part, 10, 8);
    const { status, stdout } = await runCli(world, ['doctor', '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).checks).toContainEqual({
      name: 'Archive',
      status: 'fail',
      message: expect.stringContaining(part),
      fix: expect.stringContaining(`delete ${folder}`),
    });
  });
});

describe('reindex', () => {
  it('refuses to drop sessions from a folder that is no longer configured', async () => {
    const other = join(world.folder, 'other');
    mkdirSync(join(other, 'projects'), { recursive: true });
    const { status, stderr } = await runCli(world, ['reindex', '--yes', '--no-embed'], {
      env: { CLAUDE_CONFIG_DIR: other },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('in folders that are no longer configured');
    expect(stderr.replace(/\s+/g, ' ')).toContain('CLAUDE_CONFIG_DIR');
    expect((await runJson(world, ['stats'])).sessions).toBe(30);
  });

  it('drops nothing if indexing would be refused afterwards', async () => {
    const state = openDatabase(join(world.home, 'state.db'));
    state.exec('PRAGMA user_version = 999');
    state.close();
    const { status, stderr } = await runCli(world, ['reindex', '--yes', '--no-embed']);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/state\.db was written by a newer smart-fork/),
    ]);
    await releaseDatabases();
    const index = openDatabase(join(world.home, 'index.db'));
    onTestFinished(() => index.close());
    expect(index.prepare('SELECT count(*) AS kept FROM sessions').get()?.kept).toBe(30);
  });
});

it('says how to rebuild an index with a damaged record', async () => {
  const world = createWorld();
  writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
  await runCli(world, ['index', '--no-embed']);
  await releaseDatabases();
  const database = openDatabase(join(world.home, 'index.db'));
  database.exec('UPDATE sessions SET payload = replace(payload, \'"title":"\', \'"title":"\' || char(1))');
  database.close();
  const { status, stdout, stderr } = await runCli(world, ['search', 'add a thing']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/data of 1 session is damaged .* smart-fork reindex rebuilds/);
});

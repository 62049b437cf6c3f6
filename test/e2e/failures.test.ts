import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { cliEnvironment, PROGRAM, runCli, runJson } from '../support/machines/cli.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { releaseDatabases } from '../support/stores/release-databases.ts';
import {
  claudePath,
  jsonl,
  line,
  stampLines,
  writeClaude,
} from '../support/transcripts/claude-transcripts.ts';
import { makeCorpus } from '../support/transcripts/corpus.ts';

/** Whether a process can create mounts in its own namespace here. */
const CAN_MOUNT =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!CAN_MOUNT) console.log('full and read-only disks are skipped: no mounts in a user namespace here');

describe('a damaged store file', () => {
  it('names a store file that is not a database, leaves it alone, and loses nothing else', async () => {
    for (const rubbish of [
      'this is not a database, but it is long enough to be read as one'.repeat(20),
      `SQLite format 3\0${'\xff'.repeat(5000)}`,
    ]) {
      const world = filledWorld();
      mkdirSync(world.home);
      writeFileSync(join(world.home, 'index.db'), rubbish);
      for (const words of [['index'], ['search', 'login'], ['sessions'], ['stats']]) {
        const { status, stdout, stderr } = await runCli(world, words);
        expect({ words, status, stdout }).toEqual({ words, status: 1, stdout: '' });
        expect(stderr).toContain(join(world.home, 'index.db'));
        expect(stderr).toContain('hint: ');
        expect(stderr).not.toMatch(/\n\s+at /);
      }
      expect(readFileSync(join(world.home, 'index.db'), 'utf8')).toBe(rubbish);
    }
  });

  it('reports a truncated store file, and can rebuild the index', async () => {
    const world = filledWorld(40);
    await runCli(world, ['index', '--no-embed']);
    await releaseDatabases();
    const path = join(world.home, 'index.db');
    const bytes = readFileSync(path);
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const broken = await runCli(world, ['search', 'login']);
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain('hint: ');
    rmSync(path);
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 40 });
  });

  it('refuses a store of a newer version and suggests a fix', async () => {
    const world = filledWorld();
    await runCli(world, ['index', '--no-embed']);
    for (const name of ['index.db', 'state.db']) {
      const database = openDatabase(join(world.home, name));
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      database.exec(`PRAGMA user_version = ${version + 1}`);
      database.close();
      const { status, stderr } = await runCli(world, ['index']);
      expect(status).toBe(1);
      expect(stderr).toMatch(/newer smart-fork/);
      expect(stderr).toMatch(/hint: Update/);
      const error = await runJson(world, ['index']);
      expect(error).toMatchObject({ error: { code: 'STORE_INCOMPATIBLE' } });
      const again = openDatabase(join(world.home, name));
      again.exec(`PRAGMA user_version = ${version}`);
      again.close();
    }
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ unchanged: 1 });
  });

  it('fills an empty store file', async () => {
    const world = filledWorld();
    mkdirSync(world.home);
    writeFileSync(join(world.home, 'index.db'), '');
    writeFileSync(join(world.home, 'state.db'), '');
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 1, failed: [] });
    expect((await runJson(world, ['search', 'login'])).results).toHaveLength(1);
  });
});

describe('an unusable home', () => {
  it('names a home that is a file', async () => {
    const world = filledWorld();
    writeFileSync(world.home, 'not a folder');
    const { status, stdout, stderr } = await runCli(world, ['index']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(world.home);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.skipIf(process.platform === 'win32')(
    'creates a home that only the user can read, whatever the umask',
    async () => {
      const world = filledWorld();
      const line = `umask 0; exec "${process.execPath}" "${PROGRAM}" index --no-embed --json`;
      execFileSync('sh', ['-c', line], { env: cliEnvironment(world), cwd: world.folder });
      await runCli(world, ['config', 'set', 'machine', 'x']);
      const database = openDatabase(join(world.home, 'index.db'));
      try {
        database.exec('BEGIN; CREATE TABLE kept_open (x); ROLLBACK');
        expect(statSync(world.home).mode & 0o777).toBe(0o700);
        for (const name of readdirSync(world.home)) {
          const { mode } = statSync(join(world.home, name));
          expect({ name, others: mode & 0o077 }).toEqual({ name, others: 0 });
        }
      } finally {
        database.close();
      }
    },
  );

  it.skipIf(!CAN_MOUNT)('reports a read-only disk clearly, and still searches an index on it', async () => {
    const world = filledWorld();
    mkdirSync(world.home);
    const empty = readOnly(world, ['index']);
    expect(empty).toMatchObject({ status: 1, stdout: '' });
    expect(empty.stderr).toMatch(/hint: Make .* writable/);
    await runCli(world, ['index', '--no-embed']);
    writeClaude(
      world.claudeHome,
      'another',
      stampLines([line.user('another one')], { sessionId: 'another' }),
    );
    const full = readOnly(world, ['index']);
    expect(full).toMatchObject({ status: 1, stdout: '' });
    expect(full.stderr).toMatch(/hint: Make .* writable/);
    const found = JSON.parse(readOnly(world, ['search', 'login', '--json']).stdout);
    expect(found).toMatchObject({ results: [{ session_id: 'one-0' }] });
    expect(found.notices.filter(({ code }: { code: string }) => code === 'NOT_INDEXED')).toHaveLength(0);
    const { notices } = JSON.parse(readOnly(world, ['sessions', '--json']).stdout);
    expect(notices).toEqual([
      {
        code: 'NOT_INDEXED',
        message: '1 transcript is not indexed yet: the index is read-only',
        hint: 'smart-fork doctor',
      },
    ]);
    const reading = [['show', 'one-0'], ['retrieve', 'one-0'], ['sessions'], ['stats']];
    for (const words of [...reading, ['fork', 'one-0', '--print']])
      expect(readOnly(world, words)).toMatchObject({ status: 0, stdout: expect.stringMatching(/\S/) });
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 1, unchanged: 1 });
  });

  it.skipIf(!CAN_MOUNT)(
    'says in doctor that a home cannot be written or created, and does not serve from it',
    () => {
      const world = filledWorld();
      const missing = readOnly(world, ['doctor', '--json'], world.folder);
      expect(missing.status).toBe(1);
      expect(JSON.parse(missing.stdout).checks).toContainEqual(
        expect.objectContaining({
          name: 'Home',
          status: 'fail',
          message: `${world.home} cannot be created: ${world.folder} is not writable`,
        }),
      );
      mkdirSync(world.home);
      writeFileSync(join(world.home, 'serve-token'), 'x'.repeat(40), { mode: 0o600 });
      const { status, stdout, stderr } = readOnly(world, ['serve', '--port', '0']);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.replace(/\s+/g, ' ')).toMatch(
        `error: ${world.home} is not writable hint: It is on a read-only disk`,
      );
    },
  );

  it.skipIf(!CAN_MOUNT)('reads a session from the index on a read-only disk', async () => {
    const world = filledWorld();
    await runCli(world, ['index', '--no-embed', '--archive']);
    rmSync(join(world.claudeHome, 'projects'), { recursive: true });
    for (const words of [
      ['show', 'one-0'],
      ['retrieve', 'one-0'],
    ]) {
      const { status, stdout, stderr } = readOnly(world, words);
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('login') });
      expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('cannot write to');
    }
  });

  it.skipIf(!CAN_MOUNT)('reports a full disk clearly, and still searches what was indexed', async () => {
    const world = filledWorld();
    mkdirSync(world.home);
    const more = join(world.folder, 'more');
    mkdirSync(more);
    for (const { id, lines } of makeCorpus(30, 20)) writeFileSync(join(more, `${id}.jsonl`), jsonl(lines));
    const node = `"${process.execPath}" "${PROGRAM}"`;
    const projects = join(world.claudeHome, 'projects', '-home-dev-widgets');
    const { stdout, stderr } = inNamespace(world, [
      `mount -t tmpfs -o size=900k tmpfs "${world.home}"`,
      `${node} index --no-embed --json || exit 9`,
      `cp "${more}"/*.jsonl "${projects}"`,
      `${node} index --no-embed; echo "status $?"`,
      `${node} index --no-embed --json; echo "status $?"`,
      `${node} search login --limit 100 --json; echo "status $?"`,
      `mount -o remount,size=100m "${world.home}"`,
      `${node} index --no-embed --json; echo "status $?"`,
    ]);
    const [first, human, json, found, last] =
      stdout.split(/status \d+\n/).length > 1 ? splitRuns(stdout) : [];
    expect(JSON.parse(first ?? '')).toMatchObject({ indexed: 1 });
    expect(human).toMatch(/status 1$/);
    expect(stderr).toMatch(/full[\s\S]*hint: Free some disk space/);
    expect(JSON.parse((json ?? '').replace(/status 1$/, ''))).toMatchObject({
      error: { code: 'STORE_UNAVAILABLE' },
    });
    // As many of the others as there was room for.
    const { results } = JSON.parse((found ?? '').replace(/status 0$/, ''));
    expect(results).toContainEqual(expect.objectContaining({ session_id: 'one-0' }));
    expect(JSON.parse((last ?? '').replace(/status 0$/, ''))).toMatchObject({ found: 31, failed: [] });
  });
});

describe('an unusable agent folder', () => {
  it("reports an agent's folder that is a file, and reads the others", async () => {
    const world = filledWorld();
    writeFileSync(world.codexHome, 'not a folder');
    const { indexed, failed } = await runJson(world, ['index', '--no-embed']);
    expect({
      indexed,
      places: (failed as { path: string }[]).every(({ path }) => path.startsWith(world.codexHome)),
    }).toEqual({
      indexed: 1,
      places: true,
    });
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'reports an agent folder that cannot be read',
    async () => {
      const world = filledWorld();
      const locked = join(world.claudeHome, 'projects', 'locked');
      mkdirSync(locked);
      chmodSync(locked, 0);
      try {
        expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({
          indexed: 1,
          failed: [{ path: locked }],
        });
      } finally {
        chmodSync(locked, 0o700);
      }
    },
  );
});

describe.runIf(process.platform === 'linux')('an unreadable transcript', () => {
  /** A file that can be found and opened, but not read. */
  const breakOne = (world: World) => {
    const path = claudePath(world.claudeHome, 'broken');
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync('/proc/self/mem', path);
    return path;
  };

  it('lists an unreadable transcript, and fails only if it was named', async () => {
    const world = filledWorld();
    const path = breakOne(world);
    const all = await runCli(world, ['index', '--no-embed']);
    expect(all).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 transcript could not be read'),
    });
    expect((await runCli(world, ['index', '--no-embed'])).status).toBe(0);
    expect((await runCli(world, ['index', '--no-embed', '--session', path])).status).toBe(1);
    expect((await runCli(world, ['index', '--no-embed', '--session', 'one-0'])).status).toBe(0);
  });

  it('fails if an unreadable transcript is the only one', async () => {
    const world = createWorld();
    breakOne(world);
    const { status, stdout } = await runCli(world, ['index', '--no-embed', '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      indexed: 0,
      failed: [{ reason: expect.stringMatching(/EIO/) }],
    });
  });
});

function filledWorld(sessions = 1): World {
  const world = createWorld();
  for (let at = 0; at < sessions; at += 1)
    writeClaude(
      world.claudeHome,
      `one-${at}`,
      stampLines([line.user(`Add a login form ${at}`)], { sessionId: `one-${at}` }),
    );
  return world;
}

function readOnly(world: World, words: string[], folder = world.home) {
  return inNamespace(world, [
    `mount --bind "${folder}" "${folder}"`,
    `mount -o remount,ro,bind "${folder}"`,
    `"${process.execPath}" "${PROGRAM}" ${words.join(' ')}`,
  ]);
}

/** Runs shell lines in their own mount namespace. */
function inNamespace(
  world: World,
  lines: string[],
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('unshare', ['-rm', 'sh', '-c', lines.join('\n')], {
    env: cliEnvironment(world),
    cwd: world.folder,
    encoding: 'utf8' as const,
  });
}

/** The output of each run, followed by its exit status if echoed. */
function splitRuns(stdout: string): string[] {
  const lines = stdout.trim().split('\n');
  const runs = [lines[0] ?? ''];
  let open = '';
  for (const text of lines.slice(1)) {
    open += text;
    if (!/status \d+$/.test(open)) continue;
    runs.push(open);
    open = '';
  }
  return runs;
}

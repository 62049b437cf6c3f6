import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, writeMeta } from '../../../src/adapters/sqlite/database/migrate.ts';
import { INDEX_STEPS, STATE_STEPS } from '../../../src/adapters/sqlite/database/migration-steps.ts';
import { type Database, openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openIndex } from '../../../src/adapters/sqlite/database/open-index.ts';
import { openSqliteOutbox } from '../../../src/adapters/sqlite/outbox/sqlite-outbox.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { LocalStore, Outbox } from '../../../src/ports/outbox.ts';
import { isSlow } from '../../support/campaign.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

const SHORT = { id: 'a', chunks: ['one'] };
const NOON = Date.parse('2026-06-01T12:00:00Z');
const FORGOTTEN = { machine: 'atlas', forgottenAt: '2026-06-01T12:00:00.000Z' };
const SENT = (id: string, remoteId = id) => ({ sessionId: id, remoteId, contentHash: `hash of ${id}` });

let program: string;
beforeAll(async () => {
  const root = join(import.meta.dirname, '../../..');
  program = join(root, `node_modules/.cache/crashing-${process.pid}/crashing.js`);
  await build({
    entryPoints: [join(root, 'test/support/workers/crashing-entry.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    target: 'node20.19',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

/** False if the process died before it finished. */
function run(work: string, path: string, steps: number | 'copies'): Promise<boolean> {
  const child = spawn(process.execPath, [program, work, path, String(steps), isSlow ? 'all' : 'few']);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('close', (_, signal) => {
      if (out === 'done') resolve(true);
      else if (signal === 'SIGKILL') resolve(false);
      else reject(new Error(err));
    });
  });
}

interface Home {
  local: LocalStore;
  outbox: Outbox;
}

async function withHome<T>(folder: string, work: (home: Home) => Promise<T>): Promise<T> {
  const path = join(folder, 'index.db');
  const local = openSqlitePointStore(path, SAMPLE_CHUNKING, { now: () => NOON });
  const outbox = openSqliteOutbox({ path, now: () => NOON });
  try {
    return await work({ local, outbox });
  } finally {
    outbox.close();
    await local.close();
  }
}

type Check = (home: Home, folder: string) => Promise<void>;

/** Checks what a kill before each step leaves behind. A quick run kills one process, and checks copies of the home for the other steps. */
async function crashEverywhere(
  work: string,
  fill: (folder: string) => Promise<void>,
  check: Check,
): Promise<void> {
  const base = tempFolder('crashes');
  await fill(join(base, 'home'));
  const checkAt = (folder: string) => withHome(folder, (home) => check(home, folder));
  let kills = 0;
  const killAt = async (at: number) => {
    const folder = join(base, `at-${at}`);
    cpSync(join(base, 'home'), folder, { recursive: true });
    const isDone = await run(work, join(folder, 'index.db'), at);
    await checkAt(folder);
    if (!isDone) kills += 1;
    return isDone;
  };
  if (isSlow) {
    for (let at = 0; !(await killAt(at)); ) at += 1;
  } else {
    expect(await killAt(2)).toBe(false);
    expect(await run(work, join(base, 'home', 'index.db'), 'copies')).toBe(true);
    const copies = readdirSync(base).filter((name) => name.startsWith('home-'));
    for (const name of copies) await checkAt(join(base, name));
    await checkAt(join(base, 'home'));
    kills += copies.length;
  }
  expect(kills).toBeGreaterThan(2);
}

describe('a process killed while it changes a session', { timeout: 300_000 }, () => {
  /** A session whose current state is on the server. */
  const sentSession = (folder: string) =>
    withHome(folder, async ({ local, outbox }) => {
      const change = changeOf(SHORT);
      await local.write([change]);
      outbox.server.reset('store');
      const { content_hash: contentHash } = change.session.payload;
      const entries = outbox.due(9).map((entry) => ({ ...entry, hasVectors: true }));
      outbox.done(entries, [{ sessionId: 'a', remoteId: 'a', contentHash }]);
      expect(outbox.waiting()).toEqual([]);
      expect(outbox.unsent('a')).toEqual({ texts: [], vectors: [] });
    });

  it('leaves a new session and its outbox entry, or neither', () =>
    crashEverywhere('write', sentSession, async ({ local, outbox }) => {
      const isThere = (await getSession(local, 'b')) !== null;
      expect(outbox.waiting()).toEqual(isThere ? ['b'] : []);
      expect(outbox.get(['b'])).toMatchObject(isThere ? [{ texts: true, whole: true, archive: true }] : []);
    }));

  it('leaves new texts and their outbox entry, or neither', () =>
    crashEverywhere('grow', sentSession, async ({ local, outbox }) => {
      const isThere = (await local.getChunks('a')).length === 2;
      expect(outbox.get(['a'])).toMatchObject(isThere ? [{ texts: true, whole: false }] : []);
      expect(outbox.unsent('a').texts).toEqual(isThere ? [pointId('a', 'chunk', 1)] : []);
    }));

  it('leaves new vectors and their outbox entry, or neither', () =>
    crashEverywhere('embed', sentSession, async ({ local, outbox }) => {
      const isThere = (await local.count()).vectors === 1;
      expect(outbox.get(['a'])).toMatchObject(isThere ? [{ texts: false, vectors: true }] : []);
      expect(outbox.unsent('a').vectors).toEqual(isThere ? [pointId('a', 'chunk')] : []);
    }));

  it('leaves new tags and their outbox entry, or neither', () =>
    crashEverywhere('tag', sentSession, async ({ local, outbox }) => {
      const tags = (await getSession(local, 'a'))?.tags ?? [];
      expect(outbox.get(['a'])).toMatchObject(tags.length > 0 ? [{ tags: { add: tags, remove: [] } }] : []);
    }));

  it('leaves a session, or the outbox entry that removes it', () =>
    crashEverywhere('delete', sentSession, async ({ local, outbox }) => {
      const isThere = (await getSession(local, 'a')) !== null;
      expect(outbox.get(['a'])).toMatchObject(isThere ? [] : [{ removed: true, texts: false }]);
    }));
});

describe('a process killed while it replaces the index', { timeout: 300_000 }, () => {
  const waiting = (folder: string) =>
    withHome(folder, async ({ local, outbox }) => {
      outbox.server.reset('store');
      await local.write(['a', 'removed', 'tagged'].map((id) => changeOf({ ...SHORT, id })));
      const all = ['a', 'removed', 'tagged', 'gone'];
      outbox.done(
        outbox.due(9),
        all.map((id) => SENT(id)),
      );
      outbox.done([], [SENT('mine', 'mine@atlas')]);
      await local.deleteSessions(['removed', 'gone']);
      outbox.add([{ sessionId: 'forgotten', removed: true, forgotten: FORGOTTEN }]);
      await local.setTags('tagged', ['keep']);
      outbox.fail(outbox.get(['tagged'])[0] ?? fail(), 'the server said no');
      outbox.server.note({ begun: ['a'], superseded: ['part'], handshakeAt: NOON });
    });

  it('loses no unsent change, and no record of what the server has', () =>
    crashEverywhere('replace', waiting, async ({ outbox }, folder) => {
      expect(outbox.get(['removed', 'gone', 'forgotten', 'tagged'])).toMatchObject([
        { sessionId: 'forgotten', removed: true, forgotten: FORGOTTEN },
        { sessionId: 'gone', removed: true },
        { sessionId: 'removed', removed: true },
        { sessionId: 'tagged', tags: { add: ['keep'] }, tries: 1, reason: 'the server said no', since: NOON },
      ]);
      expect(outbox.server.sent(['a', 'removed'])).toEqual([SENT('a'), SENT('removed')]);
      expect(outbox.server.renamed()).toEqual([SENT('mine', 'mine@atlas')]);
      expect(outbox.server.notes()).toMatchObject({
        storeId: 'store',
        handshakeAt: NOON,
        begun: ['a'],
        superseded: ['part'],
      });
      expectEmptied(folder);
    }));
});

describe('a home of version 1', () => {
  it('makes running processes of version 1 fail before they write', async () => {
    const folder = tempFolder('older');
    await writeOlderHome(folder);
    const older = openDatabase(join(folder, 'state.db'));
    const announce = () =>
      older
        .prepare(
          `INSERT INTO outbox VALUES ('late', 9, 9, 0, 0, NULL, 9, 99, '{}')
             ON CONFLICT DO UPDATE SET revision = excluded.revision`,
        )
        .run();
    openIndex(join(folder, 'index.db')).database.close();
    expect(announce).toThrow('smart-fork was updated: restart this process');
    older.close();
    expectEmptied(folder);
  });
});

describe('a process killed while it opens a home of version 1', { timeout: 300_000 }, () => {
  it('takes over every unsent change of version 1 once', () =>
    crashEverywhere('open', writeOlderHome, async ({ local, outbox }, folder) => {
      expect(outbox.waiting().sort()).toEqual(['a', 'forgotten', 'new']);
      expect(outbox.get(['a', 'forgotten', 'new'])).toMatchObject([
        {
          texts: true,
          whole: true,
          vectors: true,
          tags: { add: ['x'], remove: [] },
          archive: true,
          since: 7,
        },
        { removed: true, forgotten: FORGOTTEN, texts: false, tries: 2, reason: 'no' },
        { texts: true, whole: true, vectors: false },
      ]);
      // Sessions that were already sent are on the server.
      expect(outbox.unsent('b')).toEqual({ texts: [], vectors: [] });
      expect(outbox.unsent('a')).toMatchObject({ vectors: null });
      expect(outbox.unsent('new')).toEqual({ texts: null, vectors: null });
      expect(outbox.server.sent(['a', 'b'])).toEqual([SENT('a'), SENT('b')]);
      expect(outbox.server.notes()).toMatchObject({
        storeId: 'store',
        pause: { until: 9, tries: 1, asked: true },
        begun: ['a'],
        superseded: ['part'],
      });
      expect((await local.list({}, 9)).sessions).toHaveLength(3);
      expectEmptied(folder);
    }));

  it('compares a session written afterwards by a process of version 1', async () => {
    const folder = tempFolder('older');
    const change = changeOf({ id: 'b', chunks: ['one'] });
    const longer = changeOf({ id: 'b', chunks: ['one', 'two', 'three'] }, 'hash of an older version');
    await withHome(folder, async ({ local, outbox }) => {
      await local.write([change]);
      outbox.done(outbox.due(9), [{ ...SENT('b'), contentHash: change.session.payload.content_hash }]);
      const older = openDatabase(join(folder, 'index.db'));
      older.exec("UPDATE sessions SET content_hash = 'hash of an older version'");
      older.close();
      await local.write([{ ...longer, tokens: null }]);
      expect(outbox.get(['b'])).toMatchObject([{ texts: true, whole: true }]);
    });
  });
});

/** A store and a `state.db` of version 1, with unsent changes. */
async function writeOlderHome(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const index = openDatabase(join(folder, 'index.db'));
  migrate(index, 'index.db', INDEX_STEPS.slice(0, 2));
  for (const id of ['a', 'b', 'new']) insertSession(index, id);
  index.close();
  const state = openDatabase(join(folder, 'state.db'));
  migrate(state, 'state.db', STATE_STEPS.slice(0, 5));
  const put = state.prepare('INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const nothing = {
    whole: false,
    points: [],
    deletes: [],
    vectors: [],
    tags: null,
    removed: false,
    forgotten: null,
    revived: false,
    archive: false,
  };
  const grown = { points: ['p'], vectors: ['p'], tags: { add: ['x'], remove: [] }, archive: true };
  put.run('a', 3, 7, 0, 0, null, 1, 99999, JSON.stringify({ ...nothing, ...grown }));
  const gone = { removed: true, forgotten: FORGOTTEN };
  put.run('forgotten', 4, 8, 0, 2, 'no', null, null, JSON.stringify({ ...nothing, ...gone }));
  put.run('new', 5, 9, 0, 0, null, null, null, JSON.stringify({ ...nothing, whole: true }));
  for (const id of ['a', 'b']) state.exec(`INSERT INTO sent VALUES ('${id}', '${id}', 'hash of ${id}')`);
  writeMeta(state, 'outbox_store', 'store');
  writeMeta(state, 'outbox_revision', '5');
  writeMeta(state, 'outbox_begun', '["a"]');
  writeMeta(state, 'outbox_outgrown', '["part"]');
  const pause = { until: 9, tries: 1, message: 'm', hint: null, asked: true };
  writeMeta(state, 'outbox_pause', JSON.stringify(pause));
  state.close();
}

function insertSession(index: Database, id: string): void {
  const { payload } = changeOf({ id, chunks: ['one'] }).session;
  index
    .prepare(
      "INSERT INTO sessions (session_id, agent, machine, repo_id, repo_name, content_hash, payload) VALUES (?, 'claude', 'atlas', 'r', 'r', ?, ?)",
    )
    .run(id, payload.content_hash, JSON.stringify(payload));
}

function expectEmptied(folder: string): void {
  const path = join(folder, 'state.db');
  if (!existsSync(path)) return;
  const state = openDatabase(path);
  // The first process may have been killed before it created the tables.
  migrate(state, path, STATE_STEPS);
  const count = (table: string, where = 'true') =>
    state.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.n;
  const left = [count('outbox'), count('sent'), count('meta', "key GLOB 'outbox_*'")];
  state.close();
  expect(left).toEqual([0, 0, 0]);
}

function fail(): never {
  throw new Error('there is no such entry');
}

import { spawn } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
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
    crashEverywhere('replace', waiting, async ({ outbox }) => {
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
    }));
});

describe('a session changed without an entry in the outbox', () => {
  it('is compared as a whole when it grows', async () => {
    const folder = tempFolder('changed');
    const change = changeOf({ id: 'b', chunks: ['one'] });
    const longer = changeOf({ id: 'b', chunks: ['one', 'two', 'three'] }, 'another hash');
    await withHome(folder, async ({ local, outbox }) => {
      await local.write([change]);
      outbox.done(outbox.due(9), [{ ...SENT('b'), contentHash: change.session.payload.content_hash }]);
      const database = openDatabase(join(folder, 'index.db'));
      database.exec("UPDATE sessions SET content_hash = 'another hash'");
      database.close();
      await local.write([{ ...longer, tokens: null }]);
      expect(outbox.get(['b'])).toMatchObject([{ texts: true, whole: true }]);
    });
  });
});

function fail(): never {
  throw new Error('there is no such entry');
}

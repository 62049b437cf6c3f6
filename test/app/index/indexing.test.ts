import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Parts } from '../../../src/compose/parts.ts';
import { sumUnread } from '../../../src/domain/session/unread.ts';
import {
  conversationOf,
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  storedSession,
  type World,
} from '../../support/machines/world.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import {
  type ClaudeLine,
  claudePath,
  copyLines,
  FORK_ID,
  jsonl,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

/** A session of several chunks. */
function longLines(turns = 30): ClaudeLine[] {
  return stampLines(
    Array.from({ length: turns }, (_, at) => [
      line.user(`Question ${at}: how does part${at} work?`),
      ...toolPair('Read', { file_path: `/home/dev/widgets/src/part${at}.ts` }, 'text'),
      line.assistant(`Answer ${at}. ${`part${at} does this and that. `.repeat(30)}`),
    ]).flat(),
  );
}

async function indexedWorld(): Promise<{ world: World; path: string; parts: Parts }> {
  const world = createWorld();
  const path = writeClaude(world.claudeHome, SESSION_ID, longLines());
  const parts = await openWorld(world);
  await indexWorld(parts);
  return { world, path, parts };
}

describe('indexing', () => {
  it('stores a session with its points', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    const parts = await openWorld(world);
    const report = await indexWorld(parts);
    const texts = await (await parts.store()).getHashes(SESSION_ID);
    expect(report).toMatchObject({
      found: 1,
      indexed: 1,
      unchanged: 0,
      failed: [],
      points: 1 + texts.size,
    });
    const stored = await storedSession(parts, SESSION_ID);
    expect(stored?.session).toMatchObject({
      agent: 'claude',
      machine: 'workshop',
      title: 'Add a thing · a.ts',
      title_source: 'commit',
      working_directory: '/home/dev/widgets',
      branch: 'main',
      repo_name: 'widgets',
      repo_key: null,
      message_count: 4,
      user_messages: 2,
      assistant_messages: 2,
      tool_calls: 3,
      inherited_messages: 0,

      files_touched: ['src/a.ts'],
      commits: [{ hash: 'abc1234', subject: 'Add a thing' }],
      outcome: 'committed',
      started_at: '2026-07-01T09:00:00.000Z',
      ended_at: '2026-07-01T09:00:10.000Z',
      parent: null,
      jsonl_path: path,
      bytes: statSync(path).size,
      line_count: 11,
      chunk_count: 1,
      intent_count: 1,
    });
    expect(conversationOf(stored?.chunks ?? [])).toBe(
      'USER: Please add a thing\nASSISTANT: I will add it.\nEdit src/a.ts\nBash: npm test\n' +
        'Bash: git commit -am "Add a thing"\nUSER: Naïve — 日本語 🙂\nASSISTANT: Done.\n',
    );
    expect(stored?.intents.map(({ intent_text }) => intent_text)).toEqual([
      'Please add a thing\nNaïve — 日本語 🙂',
    ]);
  });

  it('leaves unchanged transcripts alone', async () => {
    const { parts } = await indexedWorld();
    expect(await indexWorld(parts)).toMatchObject({ found: 1, indexed: 0, unchanged: 1, points: 0 });
  });

  it('continues where it stopped, and writes only points that changed', async () => {
    const world = createWorld();
    const lines = longLines();
    const path = writeClaude(world.claudeHome, SESSION_ID, lines);
    const parts = await openWorld(world);
    await indexWorld(parts);
    const before = await pointsOf(parts);
    appendFileSync(
      path,
      jsonl(stampLines([line.user('One more thing'), line.assistant('Sure.')], { after: lines.length })),
    );
    const report = await indexWorld(parts);
    const after = await pointsOf(parts);
    const changed = [...after].filter(([id, { hash }]) => before.get(id)?.hash !== hash);
    expect(changed.length).toBeLessThanOrEqual(3);
    expect(report).toMatchObject({ indexed: 1, points: changed.length + 1 });
    for (const [id, point] of before)
      if (!changed.some(([other]) => other === id)) expect(after.get(id)).toEqual(point);
  });

  it('gives the same result in any number of steps as in one', async () => {
    const world = createWorld();
    const bytes = Buffer.from(jsonl(longLines(40)));
    const parts = await openWorld(world);
    for (let at = 0; at < bytes.length; at += 4999) {
      writeInPlace(claudePath(world.claudeHome, SESSION_ID), bytes.subarray(0, at));
      await indexWorld(parts);
    }
    writeInPlace(claudePath(world.claudeHome, SESSION_ID), bytes);
    await indexWorld(parts);
    await expectEqualToFresh(parts, SESSION_ID, bytes);
    for (const word of ['part39', 'part0', 'question'])
      expect((await searchWorld(parts, word)).results.map(({ session_id }) => session_id)).toEqual([
        SESSION_ID,
      ]);
  });

  it.each([
    [
      'with another inode',
      (path: string, bytes: Buffer) => {
        writeFileSync(`${path}.new`, bytes);
        renameSync(`${path}.new`, path);
      },
    ],
    ['in place', (path: string, bytes: Buffer) => writeInPlace(path, bytes)],
  ])('reads a transcript from its beginning if it was rewritten %s', async (_, rewrite) => {
    const { path, parts } = await indexedWorld();
    const bytes = Buffer.from(jsonl(longLines()).replace('Question 3:', 'Nonsense 3:'));
    rewrite(path, bytes);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
    await expectEqualToFresh(parts, SESSION_ID, bytes);
    expect((await searchWorld(parts, 'nonsense')).results).toHaveLength(1);
  });

  it('detects a rewrite of equal length, and one followed by more lines', async () => {
    const { path, parts } = await indexedWorld();
    const same = Buffer.from(jsonl(longLines()).replace('Question 3:', 'Nonsense 3:'));
    writeInPlace(path, same);
    await indexWorld(parts);
    await expectEqualToFresh(parts, SESSION_ID, same);
    const longer = Buffer.from(jsonl(longLines(31)).replace('Question 5:', 'Gibberi5h :'));
    writeInPlace(path, longer);
    await indexWorld(parts);
    await expectEqualToFresh(parts, SESSION_ID, longer);
  });

  it('drops points that no longer exist when a transcript shrinks', async () => {
    const { path, parts } = await indexedWorld();
    const bytes = Buffer.from(jsonl(longLines(4)));
    truncateSync(path, 0);
    writeInPlace(path, bytes);
    await indexWorld(parts);
    await expectEqualToFresh(parts, SESSION_ID, bytes);
    expect((await searchWorld(parts, 'part29')).results).toEqual([]);
  });

  it('keeps a session whose transcript was emptied, and continues when it is filled again', async () => {
    const { path, parts } = await indexedWorld();
    truncateSync(path, 0);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 0, empty: 1 });
    expect(await indexWorld(parts)).toMatchObject({ indexed: 0, unchanged: 1 });
    expect((await searchWorld(parts, 'part29')).results).toMatchObject([{ session_id: SESSION_ID }]);
    const bytes = Buffer.from(jsonl(longLines(4)));
    writeInPlace(path, bytes);
    await indexWorld(parts);
    await expectEqualToFresh(parts, SESSION_ID, bytes);
  });

  it('keeps a session whose transcript is gone', async () => {
    const world = createWorld();

    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    const parts = await openWorld(world);
    await indexWorld(parts);
    rmSync(path);
    expect(await indexWorld(parts)).toMatchObject({ found: 0, failed: [] });
    const [result] = (await searchWorld(parts, 'add a thing')).results;
    expect(result).toMatchObject({ session_id: SESSION_ID, local: false, jsonl_path: null, can_fork: false });
    expect(result?.fork_command).toBe(`smart-fork retrieve ${SESSION_ID}`);
  });

  it('indexes the longest of several transcripts with the same id, and the next one when that is gone', async () => {
    const world = createWorld();
    const short = writeClaude(world.claudeHome, SESSION_ID, longLines(3), '-a');
    const long = writeClaude(world.claudeHome, SESSION_ID, longLines(5), '-b');
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ found: 1, duplicates: 1, indexed: 1 });
    expect((await storedSession(parts, SESSION_ID))?.session.jsonl_path).toBe(long);
    rmSync(long);
    await indexWorld(parts);
    await expectEqualToFresh(parts, SESSION_ID, readFileSync(short), '-a');
    writeClaude(world.claudeHome, SESSION_ID, longLines(5), '-b');
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session.user_messages).toBe(5);
  });

  it('returns to the longest copy after another was indexed by its path', async () => {
    const world = createWorld();
    const short = writeClaude(world.claudeHome, SESSION_ID, longLines(3), '-a');
    writeClaude(world.claudeHome, SESSION_ID, longLines(5), '-b');
    const parts = await openWorld(world);
    await indexWorld(parts);
    const file = parts.sources[0]?.inspect(short);
    await indexWorld(parts, { files: file ? [file] : [] });
    expect((await storedSession(parts, SESSION_ID))?.session.user_messages).toBe(3);
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session.user_messages).toBe(5);
  });

  it('follows a transcript that was moved to another project', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, longLines(3), '-a');
    const parts = await openWorld(world);
    await indexWorld(parts);
    const moved = claudePath(world.claudeHome, SESSION_ID, '-b');
    mkdirSync(dirname(moved), { recursive: true });
    renameSync(path, moved);
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session.jsonl_path).toBe(moved);
    expect(await indexWorld(parts)).toMatchObject({ unchanged: 1 });
  });

  it('is no fork of itself where a copied plan names its own transcript', async () => {
    const world = createWorld();
    const plan = (id: string) =>
      `Implement the following plan:\n\n# Ducks\n\nFor details, read the full transcript at: /p/${id}.jsonl`;
    writeClaude(
      world.claudeHome,
      SESSION_ID,
      stampLines([line.user(plan(SESSION_ID)), line.assistant('ok')]),
    );
    writeClaude(world.claudeHome, FORK_ID, stampLines([line.user(plan(SESSION_ID)), line.assistant('fine')]));
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session.parent).toBeNull();
    expect((await storedSession(parts, FORK_ID))?.session.parent).toEqual({ session_id: SESSION_ID });
  });

  it('reads everything again if forced, without changing anything', async () => {
    const { parts } = await indexedWorld();
    const before = await pointsOf(parts);
    expect(await indexWorld(parts, { force: true })).toMatchObject({ indexed: 1, unchanged: 0, points: 1 });
    expect(await pointsOf(parts)).toEqual(before);
  });

  it('reads everything again if its state is gone, without changing anything', async () => {
    const { world, parts: first } = await indexedWorld();
    const before = await pointsOf(first);
    await first.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(world.home, `state.db${end}`), { force: true });
    const second = await openWorld(world);
    expect(await indexWorld(second)).toMatchObject({ indexed: 1, points: 1 });
    expect(await pointsOf(second)).toEqual(before);
  });

  it('fills a missing store again, whatever its state says', async () => {
    const { world, parts: first } = await indexedWorld();
    const before = await pointsOf(first);
    await first.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(world.home, `index.db${end}`), { force: true });
    const second = await openWorld(world);
    expect(await indexWorld(second)).toMatchObject({ indexed: 1 });
    expect(await pointsOf(second)).toEqual(before);
  });

  it('updates all points when the repository gets a remote', async () => {
    const world = createWorld();
    const cwd = join(world.folder, 'repository');
    mkdirSync(join(cwd, '.git'), { recursive: true });
    writeFileSync(join(cwd, '.git', 'config'), '[core]\n');
    const lines = longLines().map((one) => ('cwd' in one ? { ...one, cwd } : one));
    const path = writeClaude(world.claudeHome, SESSION_ID, lines);
    const first = await openWorld(world);
    await indexWorld(first);
    expect((await storedSession(first, SESSION_ID))?.session.repo_key).toBeNull();
    writeFileSync(
      join(cwd, '.git', 'config'),
      '[remote "origin"]\n\turl = git@github.com:acme/widgets.git\n',
    );
    appendFileSync(path, jsonl(stampLines([line.user('more')], { cwd, after: lines.length })));
    const second = await openWorld(world);
    await indexWorld(second);
    const stored = await storedSession(second, SESSION_ID);
    const keys = [stored?.session, ...(stored?.chunks ?? []), ...(stored?.intents ?? [])].map(
      (one) => one?.repo_key,
    );
    expect(new Set(keys)).toEqual(new Set(['github.com/acme/widgets']));
  });

  it('keeps tags, including those added during indexing', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, longLines(3));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const store = await parts.store();
    await store.setTags(SESSION_ID, ['early']);
    appendFileSync(path, jsonl(stampLines([line.user('more')], { after: 500 })));
    const write = store.write.bind(store);
    store.write = async (changes) => {
      await store.setTags(SESSION_ID, ['early', 'late']);
      return write(changes);
    };
    await indexWorld(parts);
    const { session } = (await storedSession(parts, SESSION_ID)) ?? {};
    expect(session).toMatchObject({ tags: ['early', 'late'], user_messages: 4 });
    await indexWorld(parts, { force: true });
    expect((await storedSession(parts, SESSION_ID))?.session.tags).toEqual(['early', 'late']);
  });

  it('counts transcripts without messages, and indexes them once they have one', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, [{ type: 'summary', summary: 'x' }]);
    writeClaude(world.claudeHome, 'zero', '');
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ found: 2, indexed: 0, empty: 2 });
    expect(await indexWorld(parts)).toMatchObject({ unchanged: 2 });
    const unread = () => sumUnread(parts.state().unread());
    expect(unread()).toMatchObject([{ reason: 'without messages', count: 2 }]);
    appendFileSync(path, jsonl(stampLines([line.user('hello')])));
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(unread()).toMatchObject([{ reason: 'without messages', count: 1 }]);
  });

  it('reports no progress if there is nothing to do', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    const parts = await openWorld(world);
    const seen: number[] = [];
    const onProgress = ({ total }: { total: number }) => seen.push(total);
    await indexWorld(parts, { onProgress });
    expect(seen).toEqual([1, 1]);
    await indexWorld(parts, { onProgress });
    expect(seen).toEqual([1, 1]);
  });

  it('names a fork that only repeats its parent, until it goes on', async () => {
    const world = createWorld();
    const own = stampLines(sampleLines());
    writeClaude(world.claudeHome, SESSION_ID, own);
    const fork = copyLines(own, 'branch', { sessionId: FORK_ID });
    const path = writeClaude(world.claudeHome, FORK_ID, fork);
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1, empty: 1 });
    expect(sumUnread(parts.state().unread())).toMatchObject([
      { reason: 'only repeats', text: '1 fork that only repeats its parent so far' },
    ]);
    const added = [line.user('Try another way.'), line.assistant('Done.')];
    appendFileSync(path, jsonl(stampLines(added, { sessionId: FORK_ID, start: '2026-07-05T09:00:00.000Z' })));
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
    expect(parts.state().unread()).toEqual([]);
  });

  it('names no transcript that is excluded', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    const settings = JSON.stringify({ privacy: { exclude: { paths: ['/home/dev'] } } });
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), settings);
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ excluded: 1 });
    expect(parts.state().unread()).toEqual([]);
  });

  it('counts skipped lines by reason', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, `{broken\n7\n${jsonl(stampLines([line.user('hello')]))}`);
    const parts = await openWorld(world);
    expect((await indexWorld(parts)).skipped).toEqual({ 'not JSON': 1, 'not an object': 1 });
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'reports a transcript that cannot be read, and continues',
    async () => {
      const world = createWorld();
      const path = writeClaude(world.claudeHome, 'locked', stampLines(sampleLines()));
      writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
      const { chmodSync } = await import('node:fs');
      chmodSync(path, 0);
      const parts = await openWorld(world);
      expect(await indexWorld(parts)).toMatchObject({ indexed: 1, failed: [{ path }] });
    },
  );

  it('passes over a transcript that vanishes during the run', async () => {
    const world = createWorld();
    const gone = writeClaude(world.claudeHome, 'gone', stampLines(sampleLines(), { sessionId: 'gone' }));
    writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    const parts = await openWorld(world);
    const files = parts.sources.flatMap((source) => source.find());
    rmSync(gone);
    const report = await indexWorld(parts, { files });
    expect(report).toMatchObject({ indexed: 1, failed: [] });
  });

  it('indexes the newest transcripts first, and reports progress with repository names', async () => {
    const world = createWorld();
    for (const [at, id] of ['old', 'new', 'middle'].entries()) {
      const folder = id === 'new' ? 'new-shop/.worktrees/2' : `${id}-shop`;
      const lines = stampLines(sampleLines(), { sessionId: id, cwd: `/home/dev/${folder}` });
      const path = writeClaude(world.claudeHome, id, lines);
      const time = new Date(Date.UTC(2026, 0, [1, 3, 2][at]));
      utimesSync(path, time, time);
    }
    const parts = await openWorld(world);
    const labels: string[] = [];
    await indexWorld(parts, {
      onProgress: ({ label, total, unit }) => label && labels.push(`${unit} ${label} of ${total}`),
    });
    expect(labels).toEqual(['session new-shop of 3', 'session middle-shop of 3', 'session old-shop of 3']);
  });

  it('stops when aborted, keeps what it has and continues from there', async () => {
    const world = createWorld();
    for (let at = 0; at < 40; at += 1) writeClaude(world.claudeHome, `session-${at}`, longLines(12));
    const parts = await openWorld(world);
    const controller = new AbortController();
    const first = await indexWorld(parts, {
      signal: controller.signal,
      onProgress: ({ done }) => done === 15 && controller.abort(),
    });
    expect(first).toMatchObject({ interrupted: true });
    expect(first.indexed).toBeGreaterThan(10);
    expect(first.indexed).toBeLessThan(40);
    const second = await indexWorld(parts);
    expect(second).toMatchObject({
      interrupted: false,
      unchanged: first.indexed,
      indexed: 40 - first.indexed,
    });
  });

  it('updates the keywords of sessions that an interrupted run left stale', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, longLines(3));
    const parts = await openWorld(world);
    await indexWorld(parts);
    appendFileSync(path, jsonl(stampLines([line.user('zebra')], { after: 500 })));
    const store = await parts.local();
    const refresh = store.refresh.bind(store);
    store.refresh = async () => {
      throw new Error('killed');
    };
    await expect(indexWorld(parts)).rejects.toThrow('killed');
    store.refresh = refresh;
    await indexWorld(parts);
    const lists = await searchLists(store, {
      tokens: ['zebra'],
      vector: null,
      filter: {},
      limits: { sessions: 10, chunks: 10, intents: 10 },
    });
    expect(lists.sessionsByWords).toHaveLength(1);
  });

  it('ranks like a fresh index after hundreds of appends', { timeout: 60_000 }, async () => {
    const world = createWorld();
    const parts = await openWorld(world);
    const others = ['parser', 'parser', 'cache', 'zebra'].map((word, at) => {
      const id = `other-${at}`;
      writeClaude(world.claudeHome, id, stampLines([line.user(`the ${word} of it`)], { sessionId: id }));
      return id;
    });
    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines([line.user('the parser begins')]));
    await indexWorld(parts);
    for (let at = 1; at <= 200; at += 1) {
      appendFileSync(path, jsonl(stampLines([line.assistant(`the step ${at}`)], { after: at })));
      await indexWorld(parts);
    }
    const fresh = await openWorld({
      ...world,
      env: { ...world.env, SMART_FORK_HOME: join(world.folder, 'fresh') },
    });
    await indexWorld(fresh);
    const scores = async (of: Parts, token: string) => {
      const limits = { sessions: 10, chunks: 10, intents: 10 };
      const lists = await searchLists(await of.store(), {
        tokens: [token],
        vector: null,
        filter: {},
        limits,
      });
      return lists.sessionsByWords?.map(({ session_id, score }) => ({ session_id, score })) ?? [];
    };
    for (const token of ['parser', 'zebra', 'the']) {
      const [worn, expected] = [await scores(parts, token), await scores(fresh, token)];
      expect(worn.map(({ session_id }) => session_id)).toEqual(expected.map(({ session_id }) => session_id));
      // The totals may be off by a few rows, not by hundreds.
      for (const [at, { score }] of worn.entries())
        expect(score - (expected[at]?.score ?? 0)).toBeLessThan(2.6);
    }
    expect(others).toHaveLength(4);
  });

  it('keeps sessions of both agents apart, and finds each agent’s forks', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    const {
      legacySession,
      codexText,
      writeCodex,
      SESSION_ID: codexId,
    } = await import('../../support/transcripts/codex-transcripts.ts');
    writeCodex(world.codexHome, codexId, codexText(legacySession()));
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ found: 2, indexed: 2 });
    expect((await storedSession(parts, codexId))?.session).toMatchObject({ agent: 'codex', parent: null });
    const { results } = await searchWorld(parts, { query: 'add a thing', filter: { agent: 'codex' } });
    expect(results.map(({ session_id }) => session_id)).toEqual([codexId]);
  });
});

/** The id, hash and payload of every point of a session. */
async function pointsOf(parts: Parts): Promise<Map<string, { hash: string; payload: object }>> {
  const store = await parts.store();
  const hashes = await store.getHashes(SESSION_ID);
  const points = await store.getPoints([...hashes.keys()]);
  return new Map(points.map(({ id, payload }) => [id, { hash: hashes.get(id) ?? '', payload }]));
}

/** Compares a stored session with one that another machine builds from the same bytes in a single run. */
async function expectEqualToFresh(
  parts: Parts,
  sessionId: string,
  bytes: Buffer,
  project?: string,
): Promise<void> {
  const world = createWorld();
  const path = writeClaude(world.claudeHome, sessionId, bytes, project);
  const fresh = await openWorld(world);
  await indexWorld(fresh);
  const [expected, stored] = [await storedSession(fresh, sessionId), await storedSession(parts, sessionId)];
  expect(stored?.chunks).toEqual(expected?.chunks);
  expect(stored?.intents).toEqual(expected?.intents);
  expect({ ...stored?.session, jsonl_path: path }).toEqual(expected?.session);
}

/** Writes in place, so that the inode does not change. */
function writeInPlace(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const later = new Date(Date.now() + Math.floor(performance.now()));
  utimesSync(path, later, later);
}

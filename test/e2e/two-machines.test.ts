import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import {
  createSharingWorld,
  IMPATIENT,
  type SharingWorld,
  writeSession,
} from '../support/machines/sharing-world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';
import type { QdrantDouble } from '../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { claudePath, jsonl, line, stampLines, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const [FIRST, SECOND] = [uuidOf('first session'), uuidOf('second session')];
const TALK = [
  line.user('Please debounce the zebra search box'),
  line.assistant('The zebra search box now waits for 300 ms.'),
];

/** Two machines with clones of one remote at different paths. */
describe('two machines', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  let borea: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url);
    borea = createSharingWorld('borea', double.url);
  });
  const index = async (world: SharingWorld) => {
    const summary = await runJson(world, ['index']);
    expect(summary).toMatchObject({ server: { waiting: 0, problems: [] } });
    return summary;
  };
  /** Continues a session with lines in that machine's copy. */
  const continueSession = (world: SharingWorld, words: string[], after: number, more: object = {}) => {
    const lines = words.flatMap((word) => [line.user(`and ${word}?`), line.assistant(`${word} is done.`)]);
    const path = claudePath(world.claudeHome, FIRST);
    const stamped = stampLines(lines, { sessionId: FIRST, cwd: atlas.repository, after, ...more });
    writeFileSync(path, readFileSync(path, 'utf8') + jsonl(stamped));
  };
  /** Copies the transcript to the other machine byte for byte. */
  const restore = () => {
    const path = claudePath(borea.claudeHome, FIRST);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(claudePath(atlas.claudeHome, FIRST), path);
  };
  const sessions = async (world: SharingWorld) => {
    const { sessions: list } = await runJson(world, ['sessions']);
    return list as { session_id: string; machine: string; message_count: number }[];
  };

  it('finds another machine’s sessions by repository at different paths, and retrieves their context', async () => {
    writeSession(atlas, FIRST, TALK);
    writeSession(borea, SECOND, [line.user('Something else altogether'), line.assistant('Done.')]);
    await index(atlas);
    await index(borea);
    const found = await runJson(borea, ['search', 'zebra', 'search', 'box', '--repo', '.'], {
      cwd: borea.repository,
    });
    expect(found).toMatchObject({
      notices: [expect.objectContaining({ code: 'KEYWORD_ONLY' })],
      results: [{ session_id: FIRST, machine: 'atlas', repo_key: 'github.com/acme/widgets', local: false }],
    });
    const { stdout, stderr, status } = await runCli(borea, ['retrieve', FIRST.slice(0, 8)]);
    expect(stdout).toContain('The zebra search box now waits for 300 ms.');
    expect(stderr).toContain('not on this machine');
    expect(status).toBe(0);
    expect((await sessions(borea)).map(({ machine }) => machine).sort()).toEqual(['atlas', 'borea']);
    expect(await runJson(borea, ['stats'])).toMatchObject({
      sessions: 2,
      store: { kind: 'qdrant' },
      server: { version: expect.any(String), sessions: 2, outbox: { waiting: 0 }, problem: null },
    });
    expect((await runJson(borea, ['doctor'])).checks).toContainEqual(
      expect.objectContaining({ name: 'Server', status: 'ok' }),
    );
  });

  it('reports whose passages have no vector, and suggests indexing only for this machine’s', async () => {
    const model = 'sentence-transformers/all-MiniLM-L6-v2';
    const folder = await writeTinyModel(join(borea.folder, 'tiny'), { dimensions: 384 });
    const without = { env: { SMART_FORK_MODEL: model } };
    const withModel = { env: { ...without.env, SMART_FORK_MODEL_DIR: folder } };
    const search = (...more: string[]) => runJson(borea, ['search', 'zebra', ...more], withModel);
    writeSession(atlas, FIRST, TALK);
    await runJson(atlas, ['index'], without);
    expect(await search()).toMatchObject({
      mode: 'keyword',
      notices: [
        {
          code: 'NO_VECTORS',
          message:
            'keyword only: 2 of 2 passages on the server not embedded yet; a machine with the model will embed them',
        },
      ],
    });
    const dense = await runCli(borea, ['search', 'zebra', '--mode', 'dense'], withModel);
    expect(dense.stderr).toContain('2 of 2 passages on the server');
    expect(dense.stderr).not.toContain('smart-fork index');
    for (const name of ['one', 'two', 'three'])
      writeSession(borea, uuidOf(name), [line.user(`The ${name} stable`), line.assistant('Done.')]);
    await runJson(borea, ['index'], withModel);
    const { mode, notices } = await search();
    expect({ mode, notices }).toEqual({
      mode: 'hybrid',
      notices: [
        {
          code: 'EMBEDDINGS_WAITING',
          message: '2 of 8 passages on the server not embedded yet; a machine with the model will embed them',
        },
      ],
    });
    writeSession(borea, SECOND, [line.user('One more stable'), line.assistant('Done.')]);
    await runJson(borea, ['index'], without);
    expect((await search()).notices).toMatchObject([
      { code: 'EMBEDDINGS_WAITING', hint: 'smart-fork index' },
    ]);
  });

  it('stores everything once when two machines write at the same time', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => uuidOf(`many ${at}`));
    for (const [at, id] of ids.entries())
      writeSession(at % 2 === 0 ? atlas : borea, id, [line.user(`Session ${at}`), line.assistant('Done.')]);
    await Promise.all([index(atlas), index(borea)]);
    for (const world of [atlas, borea])
      expect((await sessions(world)).map(({ session_id }) => session_id).sort()).toEqual(ids.toSorted());
  });

  it('keeps a restored session as one session, in which the longer copy wins', async () => {
    writeSession(atlas, FIRST, TALK);
    await index(atlas);
    restore();
    await index(borea);
    expect(await sessions(borea)).toMatchObject([{ session_id: FIRST, machine: 'atlas', message_count: 2 }]);
    continueSession(borea, ['giraffes'], 2);
    await index(borea);
    for (const world of [atlas, borea]) {
      expect(await sessions(world)).toMatchObject([
        { session_id: FIRST, machine: 'borea', message_count: 4 },
      ]);
      expect(await runJson(world, ['search', 'giraffes'])).toMatchObject({
        results: [{ session_id: FIRST }],
      });
    }
    // The older copy is not sent again, whatever its machine does.
    await runJson(atlas, ['index', '--force']);
    expect(await sessions(atlas)).toMatchObject([{ machine: 'borea', message_count: 4 }]);
    continueSession(borea, ['lions'], 4);
    await index(borea);
    expect(await sessions(atlas)).toMatchObject([{ machine: 'borea', message_count: 6 }]);
  });

  it('splits diverged copies into two sessions, and shows each as what it is', async () => {
    writeSession(atlas, FIRST, TALK);
    await index(atlas);
    restore();
    continueSession(borea, ['giraffes'], 2, { seed: 'borea' });
    await index(borea);
    continueSession(atlas, ['elephants', 'antelopes'], 2, { seed: 'atlas' });
    await index(atlas);
    const copy = `${FIRST}@atlas`;
    for (const world of [atlas, borea]) {
      const list = (await sessions(world)).sort((a, b) => (a.session_id < b.session_id ? -1 : 1));
      expect(list).toMatchObject([
        { session_id: FIRST, machine: 'borea', message_count: 4 },
        { session_id: copy, machine: 'atlas', message_count: 6 },
      ]);
      const of = async (word: string) => (await runJson(world, ['search', word])).results;
      expect(await of('giraffes')).toMatchObject([{ session_id: FIRST }]);
      expect(await of('elephants')).toMatchObject([{ session_id: copy }]);
    }
    // Each half is native on its own machine, under the id that the agent knows.
    expect((await runJson(atlas, ['search', 'elephants'])).results).toMatchObject([
      { local: true, fork_command: expect.stringMatching(`${FIRST}.jsonl --fork-session`) },
    ]);
    expect((await runJson(borea, ['search', 'elephants'])).results).toMatchObject([{ local: false }]);
    const { stdout } = await runCli(borea, ['retrieve', copy]);
    expect(stdout).toContain('antelopes is done.');
    expect(stdout).not.toContain('giraffes');
    continueSession(atlas, ['rhinos'], 6, { seed: 'atlas' });
    await index(atlas);
    expect(await sessions(borea)).toHaveLength(2);
    expect((await runJson(borea, ['search', 'rhinos'])).results).toMatchObject([{ session_id: copy }]);
  });

  it('reads, restores and forks both halves of a diverged session', async () => {
    const own = writeSession(atlas, FIRST, TALK);
    await index(atlas);
    restore();
    continueSession(borea, ['giraffes'], 2, { seed: 'borea' });
    await index(borea);
    continueSession(atlas, ['elephants', 'antelopes'], 2, { seed: 'atlas' });
    await index(atlas);
    const before = readFileSync(own, 'utf8');
    const found = async () => (await runJson(atlas, ['search', 'giraffes'])).results;
    expect(await found()).toMatchObject([{ session_id: FIRST, local: false, restorable: true }]);
    for (const words of [
      ['show', FIRST],
      ['retrieve', FIRST, '--full'],
    ]) {
      const { stdout } = await runCli(atlas, words);
      expect(stdout).toContain('giraffes is done.');
      expect(stdout).not.toContain('elephants');
    }
    const at = { cwd: atlas.repository };
    const printed = JSON.stringify(await runJson(atlas, ['fork', FIRST, '--print'], at));
    expect(printed).toContain(`${FIRST}@borea.jsonl`);
    expect(printed).not.toContain(`--resume ${FIRST} `);
    const restored = await runJson(atlas, ['restore', FIRST], at);
    expect(restored).toMatchObject({
      session_id: FIRST,
      state: 'restored',
      path: expect.stringContaining(`${FIRST}@borea.jsonl`),
      fork_command: expect.stringContaining(`${FIRST}@borea.jsonl --fork-session`),
      // The file contains the other half's id, which resuming would change.
      resume_command: expect.stringContaining(`${FIRST}@borea.jsonl --fork-session`),
    });
    expect(readFileSync(String(restored.path))).toEqual(readFileSync(claudePath(borea.claudeHome, FIRST)));
    expect(readFileSync(own, 'utf8')).toBe(before);
    expect(await runJson(atlas, ['restore', FIRST], at)).toMatchObject({ state: 'unchanged' });
    // It is not a third session, but the one on the server.
    await index(atlas);
    for (const world of [atlas, borea])
      expect((await sessions(world)).map(({ session_id }) => session_id).sort()).toEqual([
        FIRST,
        `${FIRST}@atlas`,
      ]);
    expect(await found()).toMatchObject([
      {
        session_id: FIRST,
        local: true,
        jsonl_path: restored.path,
        fork_command: expect.stringContaining(`${FIRST}@borea.jsonl --fork-session`),
      },
    ]);
    expect((await runJson(atlas, ['search', 'elephants'])).results).toMatchObject([
      { session_id: `${FIRST}@atlas`, local: true, jsonl_path: own },
    ]);
    // The same from the other machine.
    const there = await runJson(borea, ['restore', `${FIRST}@atlas`], { cwd: borea.repository });
    await index(borea);
    expect((await runJson(borea, ['search', 'elephants'])).results).toMatchObject([
      {
        session_id: `${FIRST}@atlas`,
        jsonl_path: there.path,
        fork_command: expect.stringContaining(`${FIRST}@atlas.jsonl --fork-session`),
      },
    ]);
    // The machine's own half is restored from its own archive to its own path.
    rmSync(own);
    expect(await runJson(atlas, ['restore', `${FIRST}@atlas`], at)).toMatchObject({ state: 'restored' });
  });

  it('restores a forgotten session on no machine unless it is indexed by name', async () => {
    writeSession(atlas, FIRST, TALK);
    writeSession(atlas, SECOND, [line.user('Something else altogether'), line.assistant('Done.')]);
    await index(atlas);
    restore();
    await index(borea);
    expect(await runJson(borea, ['forget', FIRST, '--yes'])).toEqual({ forgotten: [FIRST] });
    expect((await sessions(borea)).map(({ session_id }) => session_id)).toEqual([SECOND]);
    continueSession(atlas, ['giraffes'], 2);
    await runJson(atlas, ['index']);
    for (const world of [atlas, borea])
      expect((await sessions(world)).map(({ session_id }) => session_id)).toEqual([SECOND]);
    await runJson(atlas, ['index', '--session', FIRST, '--force']);
    expect(await sessions(borea)).toHaveLength(2);
  });

  it('shows one machine’s star and note on another, and finds the session by the note', async () => {
    writeSession(atlas, FIRST, TALK);
    await index(atlas);
    await runJson(borea, ['star', FIRST]);
    await runJson(borea, ['note', FIRST, 'the quokka attempt']);
    const { sessions } = (await runJson(atlas, ['sessions', '--starred', '--noted'])) as {
      sessions: object[];
    };
    expect(sessions).toMatchObject([
      { session_id: FIRST, starred: true, note: 'the quokka attempt', tags: [] },
    ]);
    const found = (await runJson(atlas, ['search', 'quokka'])) as { results: object[] };
    expect(found.results[0]).toMatchObject({ session_id: FIRST, found_by: 'note: the quokka attempt' });
    await runJson(atlas, ['star', FIRST, '--remove']);
    await runJson(atlas, ['note', FIRST, '--remove']);
    expect((await runJson(borea, ['sessions', '--starred'])).sessions).toEqual([]);
    expect(await runJson(borea, ['note', FIRST])).toMatchObject({ note: null });
  });

  it('keeps the tags that two machines add to each other’s sessions', async () => {
    writeSession(atlas, FIRST, TALK);
    await index(atlas);
    await runJson(borea, ['tag', FIRST, 'from-borea']);
    expect(await runJson(atlas, ['tag', FIRST, 'from-atlas'])).toMatchObject({
      tags: ['from-atlas', 'from-borea'],
    });
    expect(await runJson(borea, ['tag', FIRST])).toMatchObject({ tags: ['from-atlas', 'from-borea'] });
    expect((await runJson(borea, ['sessions', '--tag', 'from-atlas'])).sessions).toHaveLength(1);
  });

  it('works between machines with clocks a day apart', async () => {
    writeSession(atlas, FIRST, TALK, { start: '2026-07-02T09:00:00.000Z' });
    writeSession(borea, SECOND, TALK, { start: '2026-07-01T09:00:00.000Z' });
    await index(borea);
    await index(atlas);
    for (const world of [atlas, borea])
      expect((await sessions(world)).map(({ session_id }) => session_id)).toEqual([FIRST, SECOND]);
    continueSession(atlas, ['giraffes'], 2, { start: '2026-06-30T09:00:00.000Z' });
    await index(atlas);
    expect((await runJson(borea, ['search', 'giraffes'])).results).toMatchObject([{ session_id: FIRST }]);
  });

  it('reports a newer server to an older program, which works locally', async () => {
    writeSession(atlas, FIRST, TALK);
    await index(atlas);
    const collection = double.collections.get('claude_sessions');
    collection?.setPayload({
      payload: { schema_version: 99 },
      filter: { must: [{ key: 'type', match: { value: 'store' } }] },
    });
    writeSession(borea, SECOND, [line.user('Something about zebra'), line.assistant('Done.')]);
    const summary = await runJson(borea, ['index']);
    expect(summary).toMatchObject({
      indexed: 1,
      server: {
        waiting: 1,
        problems: [
          { message: expect.stringContaining('newer smart-fork'), hint: expect.stringContaining('Update') },
        ],
      },
    });
  });
});

describe('a machine whose server fails', { timeout: 60_000 }, () => {
  it('finds local sessions while the server is away, reports it in one line, and sends later', async () => {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const world = createSharingWorld('atlas', double.url);
    writeSession(world, FIRST, TALK);
    double.options.fault = () => ({ cut: 'before' });
    expect(await runJson(world, ['index'])).toMatchObject({
      indexed: 1,
      server: {
        sent: 0,
        waiting: 1,
        problems: [{ message: expect.stringContaining('cannot reach Qdrant') }],
      },
    });
    const found = await runJson(world, ['search', 'zebra']);
    expect(found).toMatchObject({ results: [{ session_id: FIRST }] });
    expect((found.notices as { code: string }[]).filter(({ code }) => code === 'SERVER_AWAY')).toHaveLength(
      1,
    );
    const { stdout, stderr } = await runCli(world, ['sessions']);
    expect(stdout).toContain('zebra');
    expect(stderr.match(/only this machine’s sessions/g)).toHaveLength(1);
    const status = await runCli(world, ['status']);
    expect(status.stdout).toMatch(/1 session not sent yet/);
    double.options.fault = () => null;
    expect(await runJson(world, ['index'])).toMatchObject({ server: { sent: 1, waiting: 0, problems: [] } });
    expect(await runJson(world, ['search', 'zebra'])).toMatchObject({ results: [{ session_id: FIRST }] });
  });

  it('does not wait long in search for a hanging server', async () => {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const world = createSharingWorld('atlas', double.url, IMPATIENT);
    writeSession(world, FIRST, TALK);
    await runJson(world, ['index']);
    double.options.fault = () => ({ delay: 120_000 });
    const found = await runJson(world, ['search', 'zebra']);
    expect(found).toMatchObject({ results: [{ session_id: FIRST }] });
    expect((found.notices as { code: string }[]).map(({ code }) => code)).toContain('SERVER_AWAY');
  });

  it('finds everything with a read-only API key, and says in index why it sends nothing', async () => {
    const double = await startCheckedDouble({ keys: { write: 'writer', read: 'reader' } });
    onTestFinished(() => double.close());
    const atlas = createSharingWorld('atlas', double.url, { QDRANT_API_KEY: 'writer' });
    const borea = createSharingWorld('borea', double.url, { QDRANT_API_KEY: 'reader' });
    writeSession(atlas, FIRST, TALK);
    await runJson(atlas, ['index']);
    writeSession(borea, SECOND, [line.user('Something of zebra'), line.assistant('Done.')]);
    expect(await runJson(borea, ['index'])).toMatchObject({
      indexed: 1,
      server: { waiting: 1, problems: [{ message: expect.stringContaining('is read-only') }] },
    });
    const { results } = await runJson(borea, ['search', 'zebra']);
    expect((results as { session_id: string }[]).map(({ session_id }) => session_id).sort()).toEqual(
      [FIRST, SECOND].sort(),
    );
  });

  it('sends nothing if encryption is on without a key, and reports it in doctor', async () => {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const world = createSharingWorld('atlas', double.url, { SMART_FORK_ENCRYPTION: 'on' });
    writeSession(world, FIRST, TALK);
    expect(await runJson(world, ['index'])).toMatchObject({
      indexed: 1,
      server: { waiting: 1, problems: [{ message: expect.stringContaining('there is no key') }] },
    });
    expect(await runJson(world, ['search', 'zebra'])).toMatchObject({
      notices: expect.arrayContaining([expect.objectContaining({ code: 'SERVER_REFUSED' })]),
      results: [{ session_id: FIRST }],
    });
    expect((await runJson(world, ['doctor'])).checks).toContainEqual({
      name: 'Encryption',
      status: 'fail',
      message: expect.stringContaining('there is no key'),
      fix: expect.stringContaining('smart-fork key create'),
    });
    expect(double.requests).toEqual([]);
  });

  it('never shows the API key', async () => {
    const world = createSharingWorld('atlas', 'http://127.0.0.1:9');
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ qdrant: { api_key: 'secret-key' } }));
    for (const words of [
      ['config', 'list'],
      ['config', 'list', '--json'],
      ['config', 'get', 'qdrant.api_key'],
      ['status'],
      ['doctor'],
      ['stats', '--json'],
      ['index', '--debug'],
    ]) {
      const { stdout, stderr } = await runCli(world, words);
      expect(stdout + stderr).not.toContain('secret-key');
    }
    expect((await runCli(world, ['config', 'list'])).stdout).toContain('********');
  });

  it.each([
    ['QDRANT_URL', 'not a url'],
    ['QDRANT_COLLECTION', 'a/b'],
    ['QDRANT_TIMEOUT_MS', 'soon'],
  ])('refuses an invalid %s and names it', async (name, value) => {
    const world = createSharingWorld('atlas', 'http://127.0.0.1:9', { [name]: value });
    const { status, stderr } = await runCli(world, ['sessions']);
    expect(status).toBe(1);
    expect(stderr).toContain(name);
  });
});

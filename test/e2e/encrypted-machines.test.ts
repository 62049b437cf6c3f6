import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createSharingWorld, type SharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { archiveOf } from '../support/qdrant/archive-points.ts';
import type { QdrantDouble } from '../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { received } from '../support/qdrant/received.ts';
import { line, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const [FIRST, SECOND] = [uuidOf('first session'), uuidOf('second session')];
const TALK = [
  line.user('Please debounce the zebra search box'),
  line.assistant('The zebra search box now waits for 300 ms.'),
];
const ON = { SMART_FORK_ENCRYPTION: 'on' };
const PASSPHRASE = { SMART_FORK_PASSPHRASE: 'four words for nobody' };

describe('machines with encryption', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url, ON);
  });
  const makeKey = async (world: SharingWorld) =>
    expect(await runCli(world, ['key', 'create'], { env: PASSPHRASE })).toMatchObject({ status: 0 });
  const index = (world: SharingWorld) => runJson(world, ['index']);
  /** The write requests that the server received. */
  const writes = () =>
    double.requests.filter(
      ({ method, path }) => method === 'PUT' || /points\/(?:batch|delete|payload)/.test(path),
    );

  it('shares sessions between machines with the same key, and lets the server read nothing', async () => {
    await makeKey(atlas);
    const borea = createSharingWorld('borea', double.url, ON);
    const { stdout: key } = await runCli(atlas, ['key', 'export']);
    expect(await runCli(borea, ['key', 'import'], { input: key })).toMatchObject({ status: 0 });
    const path = writeSession(atlas, FIRST, TALK);
    writeSession(borea, SECOND, [line.user('Feed the giraffes'), line.assistant('Fed.')]);
    for (const world of [atlas, borea])
      expect(await index(world)).toMatchObject({ server: { waiting: 0, problems: [] } });
    expect(
      await runJson(borea, ['search', 'zebra', 'search', 'box', '--repo', '.'], { cwd: borea.repository }),
    ).toMatchObject({
      results: [{ session_id: FIRST, machine: 'atlas', repo_key: 'github.com/acme/widgets' }],
    });
    expect((await runCli(borea, ['retrieve', FIRST])).stdout).toContain('now waits for 300 ms.');
    const restored = await runJson(borea, ['restore', FIRST], { cwd: borea.repository });
    expect(restored).toMatchObject({ state: 'restored', redacted: 0 });
    expect(readFileSync(String(restored.path))).toEqual(readFileSync(path));
    expect(archiveOf(double).map(({ sessionId }) => sessionId)).toContain(FIRST);
    expect((await runJson(borea, ['stats'])).server).toMatchObject({ archive: { sessions: 2 } });
    expect(await runJson(borea, ['forget', FIRST, '--yes'])).toEqual({ forgotten: [FIRST] });
    expect(await index(atlas)).toMatchObject({ server: { waiting: 0, problems: [] } });
    expect((await runJson(atlas, ['sessions'])).sessions).toMatchObject([{ session_id: SECOND }]);
    expect((await runJson(atlas, ['doctor'])).checks).toContainEqual(
      expect.objectContaining({ name: 'Encryption', status: 'ok' }),
    );
    const all = received(double);
    expect(all).toContain(FIRST);
    for (const word of [
      'zebra',
      'debounce',
      'giraffes',
      'widgets',
      'acme',
      'atlas',
      'borea',
      '.jsonl',
      'four words',
    ])
      expect([word, all.includes(word)]).toEqual([word, false]);
  });

  it.each([
    ['another key', true, 'has the key'],
    ['encryption off', false, 'encryption is off'],
  ])('refuses %s at once and sends nothing', async (_, withKey, reason) => {
    await makeKey(atlas);
    writeSession(atlas, FIRST, TALK);
    await index(atlas);
    const borea = createSharingWorld('borea', double.url, withKey ? ON : {});
    if (withKey) await makeKey(borea);
    writeSession(borea, SECOND, TALK);
    const sent = writes().length;
    expect(await index(borea)).toMatchObject({
      indexed: 1,
      server: {
        waiting: 1,
        problems: [{ message: expect.stringContaining(reason), hint: expect.stringContaining('smart-fork') }],
      },
    });
    expect(await runJson(borea, ['search', 'zebra'])).toMatchObject({
      notices: expect.arrayContaining([expect.objectContaining({ code: 'SERVER_REFUSED' })]),
      results: [{ session_id: SECOND }],
    });
    expect(writes().length).toBe(sent);
  });

  it('refuses a plain collection with a key, and sends nothing', async () => {
    const borea = createSharingWorld('borea', double.url);
    writeSession(borea, SECOND, TALK);
    await index(borea);
    await makeKey(atlas);
    writeSession(atlas, FIRST, TALK);
    const sent = writes().length;
    expect(await index(atlas)).toMatchObject({
      server: {
        waiting: 1,
        problems: [
          {
            message: expect.stringContaining('contains plain text'),
            hint: expect.stringContaining('QDRANT_COLLECTION'),
          },
        ],
      },
    });
    expect(writes().length).toBe(sent);
  });
});

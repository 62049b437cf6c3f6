import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { copiesOf, filesWith } from '../../../support/files/home-files.ts';
import { runCli, runJson } from '../../../support/machines/cli.ts';
import {
  createSharingWorld,
  type SharingWorld,
  writeSession,
} from '../../../support/machines/sharing-world.ts';
import { archiveOf } from '../../../support/qdrant/archive-points.ts';
import type { QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { chooseSession } from '../../../support/stores/choose-session.ts';
import { jsonl, line, stampLines, uuidOf } from '../../../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('regretted session');
const TALK = [line.user('Please feed the zebrafish at noon'), line.assistant('The zebrafish are fed.')];

const ids = async (world: SharingWorld) =>
  ((await runJson(world, ['sessions'])).sessions as { session_id: string }[]).map((one) => one.session_id);
const forget = async (world: SharingWorld, id = ID) =>
  expect(await runJson(world, ['forget', id, '--yes'])).toEqual({ forgotten: [id] });
const continueSession = (world: SharingWorld, path: unknown, text: string) =>
  appendFileSync(
    String(path),
    jsonl(
      stampLines([line.user(text), line.assistant('Yes.')], {
        sessionId: ID,
        cwd: world.repository,
        after: 2,
        seed: `${ID} ${world.name}`,
      }),
    ),
  );

describe('a forgotten session', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  let borea: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url);
    borea = createSharingWorld('borea', double.url);
  });
  const index = async (world: SharingWorld, ...more: string[]) =>
    expect(await runJson(world, ['index', ...more])).toMatchObject({ failed: [], server: { problems: [] } });
  const restore = async (world: SharingWorld) => runJson(world, ['restore', ID], { cwd: world.repository });

  it('leaves no byte of a forgotten session here, and does not index it again from its transcript', async () => {
    const alone = createSharingWorld('alone', '');
    const path = writeSession(alone, ID, TALK);
    await runJson(alone, ['index']);
    expect(await filesWith(alone, 'zebrafish')).not.toEqual([]);
    expect(copiesOf(alone, ID)).not.toEqual([]);
    await forget(alone);
    continueSession(alone, path, 'And feed the zebrafish twice');
    expect(await runCli(alone, ['worker', '--drain'])).toMatchObject({ status: 0 });
    expect(await runJson(alone, ['index', '--force'])).toMatchObject({ indexed: 0, excluded: 1 });
    await runCli(alone, ['config', 'set', 'privacy.exclude.paths', '["/elsewhere"]']);
    await runJson(alone, ['reindex', '--yes']);
    expect(await ids(alone)).toEqual([]);
    expect(await filesWith(alone, 'zebrafish')).toEqual([]);
    expect(copiesOf(alone, ID)).toEqual([]);
    expect(await runJson(alone, ['index', '--session', ID])).toMatchObject({ indexed: 1 });
    expect(await ids(alone)).toEqual([ID]);
  });

  it('removes a forgotten session from a machine that was away, whichever collection it uses', async () => {
    writeSession(atlas, ID, TALK);
    await index(atlas);
    const { path } = await restore(borea);
    await index(borea);
    expect(copiesOf(borea, ID)).not.toEqual([]);
    await forget(atlas);
    continueSession(borea, path, 'And feed the zebrafish twice');
    const away = { env: { QDRANT_URL: 'http://127.0.0.1:9' } };
    expect(await runJson(borea, ['index'], away)).toMatchObject({ indexed: 1, server: { waiting: 1 } });
    await index(borea, '--force');
    expect(await filesWith(borea, 'zebrafish')).toEqual([]);
    expect(copiesOf(borea, ID)).toEqual([]);
    expect(archiveOf(double)).toEqual([]);
    const other = { env: { QDRANT_COLLECTION: 'other' } };
    expect(await runJson(borea, ['index', '--force'], other)).toMatchObject({ indexed: 0, excluded: 1 });
    const later = createSharingWorld('later', double.url);
    writeSession(later, ID, TALK);
    await runJson(later, ['index'], other);
    expect(await ids({ ...later, env: { ...later.env, ...other.env } })).toEqual([]);
  });

  it('also forgets the query by which another machine found the session', async () => {
    writeSession(atlas, ID, TALK);
    await index(atlas);
    writeSession(borea, uuidOf('one session'), [line.user('Feed the axolotl'), line.assistant('Fed.')]);
    await index(borea);
    chooseSession(borea.home, { sessionId: ID, query: 'when do the zebrafish eat' });
    expect(await filesWith(borea, 'zebrafish')).toContain('state.db');
    await forget(atlas);
    await runJson(borea, ['index'], { env: { QDRANT_URL: 'http://127.0.0.1:9' } });
    await index(borea);
    expect(await filesWith(borea, 'zebrafish')).toEqual([]);
  });

  it('restores a forgotten session if its machine asks for it, and then everywhere', async () => {
    writeSession(atlas, ID, TALK);
    await index(atlas);
    const { path } = await restore(borea);
    await forget(atlas);
    await index(borea);
    await index(atlas, '--session', ID);
    expect(await ids(borea)).toEqual([ID]);
    continueSession(borea, path, 'And feed the axolotl');
    // The first machine learns of it from the server after it has checked its transcripts.
    await index(borea);
    await index(borea);
    expect((await runJson(atlas, ['search', 'axolotl'])).results).toMatchObject([{ session_id: ID }]);
  });

  it('keeps another machine’s diverged copy, and deletes the local one', async () => {
    const path = writeSession(atlas, ID, TALK);
    await index(atlas);
    const copy = (await restore(borea)).path;
    continueSession(atlas, path, 'Feed the aardvark');
    await index(atlas);
    continueSession(borea, copy, 'Feed the bonobo');
    await index(borea);
    await forget(atlas);
    await index(borea);
    expect(await ids(borea)).toEqual([`${ID}@borea`]);
    expect(await filesWith(borea, 'bonobo')).not.toEqual([]);
    expect(copiesOf(borea, ID)).not.toEqual([]);
    await forget(atlas, `${ID}@borea`);
    await index(borea, '--force');
    expect(await ids(borea)).toEqual([]);
    expect(await filesWith(borea, 'bonobo')).toEqual([]);
    expect(copiesOf(borea, ID)).toEqual([]);
  });

  it('removes a forgotten session from a server that was away, even if the index was rebuilt meanwhile', async () => {
    writeSession(atlas, ID, TALK);
    const other = uuidOf('kept session');
    writeSession(atlas, other, [line.user('Feed the axolotl'), line.assistant('Fed.')]);
    await index(atlas);
    double.options.fault = () => ({ answer: 503 });
    await forget(atlas);
    await runJson(atlas, ['tag', other, 'pets']);
    expect(await runJson(atlas, ['reindex', '--yes'])).toMatchObject({ server: { waiting: 2 } });
    delete double.options.fault;
    expect(archiveOf(double).map(({ sessionId }) => sessionId)).toContain(ID);
    await index(atlas);
    expect(archiveOf(double).map(({ sessionId }) => sessionId)).not.toContain(ID);
    expect(await ids(atlas)).toEqual([other]);
    expect(await runJson(borea, ['tag', other])).toMatchObject({ tags: ['pets'] });
  });

  it('does not restore a forgotten session from a server that has not been told yet', async () => {
    writeSession(atlas, ID, TALK);
    await index(atlas);
    rmSync(join(atlas.claudeHome, 'projects'), { recursive: true });
    double.options.fault = () => ({ answer: 503 });
    await forget(atlas);
    delete double.options.fault;
    expect(archiveOf(double)).not.toEqual([]);
    expect(await restore(atlas)).toMatchObject({ error: { code: 'SESSION_NOT_FOUND' } });
    expect(await runJson(atlas, ['migrate', '--to', 'embedded'])).toMatchObject({ found: 0, different: [] });
    expect(await filesWith(atlas, 'zebrafish')).toEqual([]);
    await index(atlas);
    expect(archiveOf(double)).toEqual([]);
  });
});

import { rmSync } from 'node:fs';
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
import { releaseDatabases } from '../../../support/stores/release-databases.ts';
import { line, stampLines, uuidOf, writeClaude } from '../../../support/transcripts/claude-transcripts.ts';

const [HERE, GONE, OTHER] = [
  uuidOf('still here'),
  uuidOf('deleted by its agent'),
  uuidOf('of another folder'),
];

describe('a privacy rule added later', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url);
    writeSession(atlas, HERE, [line.user('The zebrafish ledger'), line.assistant('Yes.')]);
    const gone = writeSession(atlas, GONE, [line.user('The giraffe ledger'), line.assistant('Yes.')]);
    writeSession(atlas, OTHER, [line.user('The open ledger')], { cwd: atlas.folder });
    await index();
    rmSync(gone);
  });
  const index = async () =>
    expect(await runJson(atlas, ['index'])).toMatchObject({
      failed: [],
      server: { waiting: 0, problems: [] },
    });
  const exclude = () =>
    runCli(atlas, ['config', 'set', 'privacy.exclude.repositories', '["github.com/acme"]']);
  const serverHas = () =>
    [...double.collections.values()].flatMap((collection) =>
      [HERE, GONE, OTHER].filter((id) =>
        JSON.stringify(collection.scroll({ limit: 1000, with_payload: true })).includes(id),
      ),
    );
  const expectGone = async () => {
    for (const word of ['zebrafish', 'giraffe'])
      expect([word, await filesWith(atlas, word)]).toEqual([word, []]);
    for (const id of [HERE, GONE]) expect(copiesOf(atlas, id)).toEqual([]);
    expect(serverHas()).toEqual([OTHER]);
    expect(new Set(archiveOf(double).map(({ sessionId }) => sessionId))).toEqual(new Set([OTHER]));
    expect(copiesOf(atlas, OTHER)).not.toEqual([]);
  };

  it('removes every session excluded by a new privacy rule, whether or not its transcript exists', async () => {
    await exclude();
    await index();
    await expectGone();
  });

  it('applies a new privacy rule automatically in the worker', async () => {
    await exclude();
    expect(await runCli(atlas, ['worker', '--drain'])).toMatchObject({ status: 0 });
    await expectGone();
  });

  it('applies a new rule on the server after the index was deleted, except to sessions without a transcript', async () => {
    await exclude();
    await releaseDatabases();
    for (const end of ['', '-wal', '-shm']) rmSync(`${atlas.home}/index.db${end}`, { force: true });
    await index();
    // This machine knows nothing about a session without a transcript.
    expect(serverHas()).toEqual([GONE, OTHER]);
    const before = double.requests.length;
    await index();
    expect(double.requests.slice(before).filter(({ path }) => path.includes('delete'))).toEqual([]);
  });
});

describe('a session that moves between folders', { timeout: 60_000 }, () => {
  it.each([
    ['branches', 'secret/*', { branch: 'secret/x' }],
    ['paths', '/srv/hidden', { cwd: '/srv/hidden/shop' }],
  ])('excludes a session that was once covered by the rules for %s', async (kind, rule, place) => {
    const alone = createSharingWorld('alone', '');
    await runCli(alone, ['config', 'set', `privacy.exclude.${kind}`, JSON.stringify([rule])]);
    const home = { sessionId: HERE, cwd: alone.repository };
    writeClaude(alone.claudeHome, HERE, [
      ...stampLines([line.user('Begin')], home),
      ...stampLines([line.user('The zebrafish ledger')], { ...home, ...place, after: 1 }),
      ...stampLines([line.user('And back')], { ...home, after: 2 }),
    ]);
    expect(await runJson(alone, ['index'])).toMatchObject({ indexed: 0, excluded: 1 });
    expect(await filesWith(alone, 'zebrafish')).toEqual([]);
  });
});

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../../../support/machines/cli.ts';
import {
  createSharingWorld,
  type SharingWorld,
  writeSession,
} from '../../../support/machines/sharing-world.ts';
import type { QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { line, uuidOf } from '../../../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('zebra');
const HERE = { env: { QDRANT_URL: '' } };
const SAID = expect.stringContaining('the collection claude_sessions does not exist yet');

describe('a missing collection', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url);
    writeSession(atlas, ID, [line.user('Paint the zebra'), line.assistant('It is painted.')]);
    await runCli(atlas, ['index'], HERE);
  });

  it('creates no collection when reading, but uses the local sessions and prints one notice', async () => {
    const found = await runJson(atlas, ['search', 'zebra']);
    expect(found.results).toMatchObject([{ session_id: ID }]);
    expect(found.notices).toContainEqual({
      code: 'COLLECTION_MISSING',
      message: SAID,
      hint: 'smart-fork index creates it.',
    });
    const listed = await runCli(atlas, ['sessions', '--json']);
    expect(JSON.parse(listed.stdout).sessions).toMatchObject([{ session_id: ID }]);
    expect(listed.stderr.match(/does not exist yet/g)).toHaveLength(1);
    expect((await runCli(atlas, ['show', ID])).status).toBe(0);
    expect((await runCli(atlas, ['retrieve', ID])).stdout).toContain('It is painted.');
    expect(await runJson(atlas, ['stats'])).toMatchObject({ sessions: 1, server: { missing: true } });
    expect([...double.collections.keys()]).toEqual([]);
  });

  it('reports a missing collection in status and doctor, but not as an error', async () => {
    const status = await runCli(atlas, ['status']);
    expect(status).toMatchObject({ status: 0, stdout: expect.stringContaining('does not exist yet') });
    expect(await runJson(atlas, ['status'])).toMatchObject({
      server: { missing: true, sessions: 0, problem: null },
    });
    const { checks } = await runJson(atlas, ['doctor']);
    expect(checks).toContainEqual({
      name: 'Server',
      status: 'ok',
      message: expect.stringContaining('claude_sessions does not exist yet'),
    });
    expect([...double.collections.keys()]).toEqual([]);
  });

  it('creates no missing collection when migrating', async () => {
    const failed = await runCli(atlas, ['migrate', '--to', 'embedded']);
    expect(failed).toMatchObject({ status: 1, stderr: SAID });
    for (const to of ['qdrant', 'embedded']) {
      const { status, stderr } = await runCli(atlas, ['migrate', '--to', to, '--from', 'typo']);
      expect(status).toBe(2);
      expect(stderr).toContain('there is no collection typo');
    }
    expect([...double.collections.keys()]).toEqual([]);
  });

  it('creates the collection when sending', async () => {
    await runCli(atlas, ['migrate', '--to', 'qdrant']);
    expect([...double.collections.keys()]).toEqual(['claude_sessions']);
    expect(await runJson(atlas, ['status'])).toMatchObject({ server: { missing: false, sessions: 1 } });
    expect((await runJson(atlas, ['search', 'zebra'])).notices).not.toContainEqual(
      expect.objectContaining({ code: 'COLLECTION_MISSING' }),
    );
  });
});

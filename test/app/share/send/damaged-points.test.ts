import { expect, it } from 'vitest';
import { openDatabase } from '../../../../src/adapters/sqlite/database/open-database.ts';
import { startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { changeOf } from '../../../support/transcripts/sample-sessions.ts';

it('sends what a damaged session was tagged with', { timeout: 30_000 }, async () => {
  const server = await startSharedServer();
  const { local, drain, remote, indexPath } = server.machine('atlas');
  await local.write([changeOf({ id: 's', chunks: ['piston and valve'] })]);
  await drain();
  await local.setTags('s', ['engine']);
  const database = openDatabase(indexPath);
  database.exec("UPDATE sessions SET payload = 'x' || payload");
  database.close();
  expect(await drain()).toMatchObject({ waiting: 0, problem: null });
  expect((await remote.getSessions(['s'])).map(({ tags }) => tags)).toEqual([['engine']]);
});

it('leaves a passage on the server whose copy here is damaged', { timeout: 30_000 }, async () => {
  const server = await startSharedServer();
  const { local, drain, remote, indexPath } = server.machine('atlas');
  const sample = { id: 's', chunks: ['piston and valve', 'sump'] };
  await local.write([changeOf(sample)]);
  await drain();
  const database = openDatabase(indexPath);
  database.exec("UPDATE points SET payload = x'00ff' WHERE chunk_index = 1");
  database.close();
  const [stored] = await local.getSessions(['s']);
  const again = changeOf({ ...sample, record: { content_hash: 'f'.repeat(64) } }, stored?.content_hash);
  await local.write([{ ...again, upserts: again.upserts.slice(0, 1) }]);
  await drain();
  expect((await remote.getSessions(['s'])).map(({ content_hash }) => content_hash)).toEqual(['f'.repeat(64)]);
  expect((await remote.getChunks('s')).map(({ content }) => content)).toEqual(sample.chunks);
});

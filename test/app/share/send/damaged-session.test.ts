import { expect, it } from 'vitest';
import { openDatabase } from '../../../../src/adapters/sqlite/database/open-database.ts';
import { pointId } from '../../../../src/domain/point/point-id.ts';
import { type SharingMachine, startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { changeOf } from '../../../support/transcripts/sample-sessions.ts';

const SAMPLE = { id: 's', chunks: ['piston and valve', 'sump'] };

it('forgets a session on the server whose record here is damaged', { timeout: 30_000 }, async () => {
  const server = await startSharedServer();
  const machine = server.machine('atlas');
  await machine.local.write([changeOf(SAMPLE)]);
  await machine.drain();
  damage(machine);
  await machine.both.deleteSessions(['s']);
  await machine.drain();
  expect(await machine.remote.getSessions(['s'])).toEqual([]);
  expect(await machine.remote.getChunks('s')).toEqual([]);
  expect((await machine.remote.tombstones(['s'])).map(({ session_id }) => session_id)).toEqual(['s']);
  expect((await machine.local.count()).sessions).toBe(0);
});

it('forgets a session before it was sent, whose record is damaged', { timeout: 30_000 }, async () => {
  const server = await startSharedServer();
  const machine = server.machine('atlas');
  await machine.local.write([changeOf(SAMPLE)]);
  damage(machine);
  await machine.both.deleteSessions(['s']);
  expect((await machine.local.count()).sessions).toBe(0);
  await machine.drain();
  expect(await machine.remote.getChunks('s')).toEqual([]);
});

it('forgets a session of another machine whose record on the server is damaged', {
  timeout: 30_000,
}, async () => {
  const server = await startSharedServer();
  const [atlas, bureau] = [server.machine('atlas'), server.machine('bureau')];
  await atlas.local.write([changeOf(SAMPLE)]);
  await atlas.drain();
  server.double.collections
    .get('claude_sessions')
    ?.setPayload({ points: [pointId('s', 'session')], payload: { content_hash: 7 } });
  expect(await bureau.both.getSessions(['s'])).toEqual([]);
  expect((await bureau.both.getHashes('s')).size).toBeGreaterThan(0);
  await bureau.both.deleteSessions(['s']);
  await bureau.drain();
  expect(await bureau.remote.getChunks('s')).toEqual([]);
  await atlas.drain();
  expect((await bureau.remote.tombstones(['s'])).map(({ session_id }) => session_id)).toEqual(['s']);
});

it('tags the copy on the server of a session whose record here is damaged', { timeout: 30_000 }, async () => {
  const server = await startSharedServer();
  const machine = server.machine('atlas');
  await machine.local.write([changeOf(SAMPLE)]);
  await machine.drain();
  damage(machine);
  await machine.both.setTags('s', ['engine']);
  await machine.drain();
  expect((await machine.remote.getSessions(['s'])).map(({ tags }) => tags)).toEqual([['engine']]);
});

function damage({ indexPath }: SharingMachine): void {
  const database = openDatabase(indexPath);
  database.exec("UPDATE sessions SET payload = 'x' || payload");
  database.close();
}

import { expect, it } from 'vitest';
import { openDatabase } from '../../../../src/adapters/sqlite/database/open-database.ts';
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

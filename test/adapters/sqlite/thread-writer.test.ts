import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { createThreadWriter } from '../../../src/adapters/sqlite/thread/thread-writer.ts';
import { isMemory, type PassagePayload, type Point } from '../../../src/domain/point/point.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { type SessionWriter, type UntokenizedChange, writeInPlace } from '../../../src/ports/point-store.ts';
import { dumpStore } from '../../support/files/dump-store.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { changeOf, SAMPLE_CHUNKING, type Sample } from '../../support/transcripts/sample-sessions.ts';

const THREAD_FILE = resolve('dist/writer-thread.js');
const MUCH = 1e9;

const SAMPLES: Sample[] = Array.from({ length: 8 }, (_, at) => ({
  id: `1111111${at}-1111-4111-8111-111111111111`,
  intents: [`mend the login of shop ${at}`],
  chunks: [`USER: mend the login of shop ${at}\n`, `ASSISTANT: Edit src/login${at}.ts, then npm test\n`],
}));

interface Place {
  path: string;
  store: PointStore;
  writer: SessionWriter;
  changes: UntokenizedChange[];
}

it('writes the same data in a thread as in the main thread', async () => {
  const apart = await place('apart');
  const inPlace = await place('in-place');
  apart.writer.expect(MUCH);
  for (const { writer, changes } of [apart, inPlace]) {
    // The second group is queued while the first is being written.
    const [first, second] = [changes.slice(0, 4), changes.slice(4)].map((group) => writer.write(group));
    expect([await first, await second]).toEqual([{ conflicts: [] }, { conflicts: [] }]);
    await writer.close();
  }
  expect(dumpStore(apart.path)).toEqual(dumpStore(inPlace.path));
  expect((await apart.store.count()).sessions).toBe(8);
});

it('reports conflicts found in the writer thread', async () => {
  const { writer, changes } = await place('conflict');
  writer.expect(MUCH);
  await writer.write(changes.slice(0, 2));
  const ids = changes.slice(0, 2).map(({ session }) => session.payload.session_id);
  expect(await writer.write(changes)).toEqual({ conflicts: ids });
  await writer.close();
});

it('reports an error in the writer thread, and continues with the next write', async () => {
  const { path, store, writer, changes } = await place('error');
  writer.expect(MUCH);
  const [first, ...others] = changes;
  if (first === undefined) throw new Error('no change');
  // Two points with the same id, so that SQLite rejects the second session.
  const broken = {
    ...first,
    session: { ...first.session, payload: { ...first.session.payload, agent: null } },
  };
  await expect(writer.write([broken as unknown as UntokenizedChange])).rejects.toMatchObject({
    name: 'SmartForkError',
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining(path) as string,
    hint: expect.any(String) as string,
  });
  expect(await writer.write(others)).toEqual({ conflicts: [] });
  await writer.close();
  expect((await store.count()).sessions).toBe(others.length);
});

it('fails if the writer thread cannot start or is closed', async () => {
  const broken = join(tempFolder('thread'), 'broken.js');
  writeFileSync(broken, 'throw new Error("no such module");');
  const { writer, changes } = await place('broken', broken);
  writer.expect(MUCH);
  await expect(writer.write(changes)).rejects.toThrow(/writing to the store .* stopped: no such module/);
  await expect(writer.write(changes)).rejects.toThrow(/stopped/);
  await writer.close();
});

it('writes small amounts in the main thread', async () => {
  const { writer, changes } = await place('little', join(tempFolder('none'), 'never-loaded.js'));
  writer.expect(1000);
  expect(await writer.write(changes)).toEqual({ conflicts: [] });
  await writer.close();
});

async function place(name: string, threadFile = THREAD_FILE): Promise<Place> {
  const home = tempFolder(name);
  const path = join(home, 'index.db');
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  onTestFinished(() => store.close());
  const tokenizer = createLexicalTokenizer();
  const inPlace = writeInPlace(store, tokenizer);
  const writer = createThreadWriter({ inPlace, tokenizer, path, chunking: SAMPLE_CHUNKING, threadFile });
  return { path, store, writer, changes: SAMPLES.map(uncut) };
}

function uncut(sample: Sample): UntokenizedChange {
  const { session, upserts, deletes, expected } = changeOf(sample);
  const points = upserts.map(({ point }) => point);
  const passages = points.filter((point): point is Point<PassagePayload> => !isMemory(point.payload));
  return { session, upserts: points, deletes, expected, points: passages };
}

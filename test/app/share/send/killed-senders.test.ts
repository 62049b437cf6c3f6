import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { ServerArchive } from '../../../../src/adapters/archive/server-archive.ts';
import { openQdrantPointStore } from '../../../../src/adapters/qdrant/qdrant-point-store.ts';
import { rounds } from '../../../support/campaign.ts';
import { writeTinyModel } from '../../../support/models/tiny-model.ts';
import { archiveOf } from '../../../support/qdrant/archive-points.ts';
import type { QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { seededRandom } from '../../../support/random.ts';
import { sessionIds, turnLines } from '../../../support/transcripts/claude-lines.ts';
import { ended, WorkerMachine } from '../../../support/workers/worker-machine.ts';

const KILLS = rounds({ quick: 2, slow: 200 });
const SESSIONS = sessionIds(6);
const MAX_REQUESTS = 14;

let double: QdrantDouble;
let machine: WorkerMachine;
beforeEach(async () => {
  double = await startCheckedDouble();
  machine = new WorkerMachine(inject('workerProgram'), {
    QDRANT_URL: double.url,
    SMART_FORK_MACHINE: 'atlas',
  });
  machine.env.SMART_FORK_MODEL_DIR = await writeTinyModel(join(machine.root, 'model'));
});
afterEach(async () => {
  await machine.close();
  await double.close();
});

/** Sessions here and on the server, with the hashes of their texts and the number of vectors. */
async function bothSides() {
  const parts = await machine.parts();
  const local = await parts.localFile.open();
  const remote = openQdrantPointStore(
    qdrantOptions(double.url, {
      model: await parts.embedding.model().then(({ id, dimensions }) => ({ id, dimensions })),
    }),
  );
  const sides = [];
  for (const store of [local, remote]) {
    const { sessions } = await store.list({}, 100);
    const ids = sessions.map(({ session_id }) => session_id).sort();
    const texts = await Promise.all(ids.map(async (id) => [...(await store.getHashes(id))].sort()));
    const { bytes: _, ...counts } = await store.count();
    const hashes = sessions.map(({ session_id, content_hash }) => `${session_id} ${content_hash}`).sort();
    sides.push({ ids, hashes, texts, counts });
  }
  const sharing = await parts.sharing();
  const { waiting } = sharing?.outbox().counts() ?? {};
  const transcripts = await Promise.all(
    (sides[0]?.ids ?? []).map((id) => stateOnServer(sharing?.archive, id)),
  );
  await remote.close();
  await parts.close();
  return { sides, waiting, transcripts };
}

/** The session state to which the server's transcript belongs. Reads every part of it. */
async function stateOnServer(archive: ServerArchive | undefined, id: string): Promise<string | null> {
  const kept = (await archive?.find(id)) ?? null;
  if (archive === undefined || kept === null) return null;
  let bytes = 0;
  for await (const part of archive.read(kept)) bytes += part.length;
  expect(bytes).toBe(kept.bytes);
  return `${id} ${kept.original.contentHash}`;
}

/** A sender whose connection broke before it died has deferred the next attempt. */
async function everythingSent() {
  for (const deadline = Date.now() + 45_000; ; await sleep(200)) {
    const both = await bothSides();
    if (both.waiting === 0) return both;
    if (Date.now() > deadline) throw new Error(`${both.waiting} sessions still wait`);
    await machine.drain();
  }
}

it(`stores everything on the server once after ${KILLS} workers were killed while sending`, {
  timeout: KILLS * 5000 + 60_000,
}, async () => {
  const random = seededRandom(7);
  let killedWhileSending = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const id of SESSIONS) machine.append(id, turnLines(id, kill, 80));
    const worker = machine.worker('drain');
    let left = random(MAX_REQUESTS);
    const cut = random(2) === 0 ? 'before' : 'after';
    double.options.fault = () => {
      left -= 1;
      if (left >= 0) return null;
      if (worker.kill('SIGKILL')) killedWhileSending += 1;
      return left === -1 ? { cut } : { cut: 'before' };
    };
    const { err } = await ended(worker);
    expect(err).toBe('');
  }
  expect(killedWhileSending).toBeGreaterThan(0);
  double.options.fault = () => null;
  await machine.drain();
  for (const line of [KILLS, KILLS + 1]) {
    for (const id of SESSIONS) machine.append(id, turnLines(id, line, 80));
    await machine.drain();
  }
  const { sides, transcripts } = await everythingSent();
  expect(transcripts.toSorted()).toEqual(sides[0]?.hashes);
  // One part per session, and the superseded parts of the last sessions.
  const parts = archiveOf(double).filter(({ type }) => type === 'archive');
  expect(parts.length).toBeLessThanOrEqual(SESSIONS.length + 4);
  expect(sides[0]?.ids).toEqual(SESSIONS.toSorted());
  // Each session also has a topic.
  const texts = (sides[0]?.counts.chunks ?? 0) + (sides[0]?.counts.intents ?? 0) + SESSIONS.length;
  expect(sides[0]?.counts.vectors).toBe(texts);
  expect(sides[1]).toEqual(sides[0]);
});

it('sends changes from indexing while it is sending', { timeout: 60_000 }, async () => {
  for (const id of SESSIONS) machine.append(id, turnLines(id, 0, 80));
  await machine.drain();
  const { sides } = await everythingSent();
  expect(sides[1]?.ids).toEqual(SESSIONS.toSorted());
  expect(sides[1]).toEqual(sides[0]);
});

import { describe, expect, it, vi } from 'vitest';
import { getSession } from '../../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../../src/domain/point/point-id.ts';
import { sha256 } from '../../../../src/domain/text/hash.ts';
import { isSlow } from '../../../support/campaign.ts';
import type { Fault } from '../../../support/qdrant/double/server.ts';
import { isWrite, nth } from '../../../support/qdrant/qdrant-faults.ts';
import {
  type SharedServer,
  type SharingMachine,
  startSharedServer,
} from '../../../support/qdrant/shared-server.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  sessionPayload,
  vectorOf,
} from '../../../support/transcripts/sample-sessions.ts';

const sampleOf = (id: string, turns: number): Sample => ({
  id,
  chunks: Array.from({ length: turns }, (_, at) => `${id} text ${at}`),
  intents: Array.from({ length: turns }, (_, at) => `ask ${id} ${at}`),
});
const IDS = ['a', 'b', 'c'];

/** Writes one more turn of a session, like the indexer. */
async function turn(machine: SharingMachine, id: string, turns: number): Promise<void> {
  const after = sampleOf(id, turns);
  const change = turns === 1 ? changeOf(after) : growth(sampleOf(id, turns - 1), after);
  expect(await machine.local.write([change])).toEqual({ conflicts: [] });
}

async function turnWithVectors(machine: SharingMachine, id: string, turns: number): Promise<void> {
  await turn(machine, id, turns);
  const at = turns - 1;
  await machine.local.setVectors(SAMPLE_MODEL, [
    {
      id: pointId(id, 'chunk', at),
      contentHash: sha256(`${id} text ${at}`),
      vector: vectorOf(`${id} text ${at}`),
    },
    {
      id: pointId(id, 'intent', at),
      contentHash: sha256(`ask ${id} ${at}`),
      vector: vectorOf(`ask ${id} ${at}`),
    },
  ]);
}

/** Expects everything to be on the server once, in its local state, and nothing to be pending. */
async function expectSent(machine: SharingMachine, turns: number, ids = IDS): Promise<void> {
  expect(machine.outbox.counts().waiting).toBe(0);
  const { sessions, chunks, intents, vectors } = await machine.local.count();
  expect({ sessions, chunks }).toEqual({ sessions: ids.length, chunks: ids.length * turns });
  expect(await machine.remote.count()).toMatchObject({ sessions, chunks, intents, vectors });
  for (const id of ids) {
    expect(await getSession(machine.remote, id)).toEqual(sessionPayload(sampleOf(id, turns)));
    expect(await machine.remote.getChunks(id)).toEqual(await machine.local.getChunks(id));
    expect(await machine.remote.getHashes(id)).toEqual(await machine.local.getHashes(id));
  }
}

/** Advances the clock and retries like the worker until nothing is pending. */
async function drainInTime(server: SharedServer, machine: SharingMachine): Promise<number> {
  for (let tries = 1; tries <= 60; tries += 1) {
    await machine.drain();
    if (machine.outbox.counts().waiting === 0) return tries;
    server.clock.now = Math.max(server.clock.now + 1000, machine.outbox.server.notes().pause?.until ?? 0);
  }
  throw new Error(`still waiting: ${JSON.stringify(machine.outbox.server.notes().pause)}`);
}

describe('local changes', { timeout: 30_000 }, () => {
  it('sends sessions, growth and vectors in as few requests as the store needs', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    for (const id of IDS) await turnWithVectors(machine, id, 1);
    await drainInTime(server, machine);
    await expectSent(machine, 1);
    const before = server.double.requests.length;
    for (const id of IDS) await turn(machine, id, 2);
    await machine.drain();
    expect(server.double.requests.length - before).toBeLessThanOrEqual(6);
    const one = server.double.requests.length;
    await turn(machine, 'a', 3);
    await machine.drain();
    expect(server.double.requests.length - one).toBe(3);
  });

  it.each([
    ['the server fails once', { answer: 500 }],
    ['the server is overloaded once', { answer: 503 }],
    ['the connection breaks before the server acts', { cut: 'before' }],
    ['the connection breaks after the server acted', { cut: 'after' }],
  ] as [string, Fault][])(
    'neither loses nor duplicates a change when %s, at any request',
    async (_, fault) => {
      const plain = await startSharedServer();
      const first = plain.machine('atlas');
      const write = async (machine: SharingMachine) => {
        for (const id of IDS) await turnWithVectors(machine, id, 1);
        await machine.drain();
        for (const id of IDS) await turnWithVectors(machine, id, 2);
      };
      await write(first);
      await drainInTime(plain, first);
      const requests = plain.double.requests.length;
      for (let at = 0; at < requests; at += isSlow ? 5 : 10) {
        const server = await startSharedServer();
        const machine = server.machine('atlas');
        server.double.options.fault = nth(at, fault);
        await write(machine);
        await drainInTime(server, machine);
        await expectSent(machine, 2);
      }
    },
  );
});

describe('a faulty server', { timeout: 30_000 }, () => {
  it('sends everything after an hour of downtime, with few requests in between', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    for (const id of IDS) await turnWithVectors(machine, id, 1);
    await drainInTime(server, machine);
    server.double.options.fault = () => ({ cut: 'before' });
    const asked = server.double.requests.length;
    for (let minute = 1; minute <= 20; minute += 1) {
      server.clock.now += 180_000;
      for (const id of IDS) await turnWithVectors(machine, id, minute + 1);
      const { problem } = await machine.drain();
      expect(problem?.message).toContain('cannot reach Qdrant');
    }
    expect(server.double.requests.length - asked).toBeLessThan(60);
    expect(machine.outbox.counts().waiting).toBe(3);
    server.double.options.fault = () => null;
    const again = machine.restart();
    await drainInTime(server, again);
    await expectSent(again, 21);
  });

  it('sends no request for as long as the server asks, not even from the next process', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    server.double.options.fault = nth(0, { answer: 429, headers: { 'retry-after': '1800' } }, isWrite);
    for (const id of IDS) await turn(machine, id, 1);
    await machine.drain();
    const asked = server.double.requests.length;
    server.clock.now += 1_790_000;
    const again = machine.restart();
    expect((await again.drain()).problem?.message).toContain('is rate limiting requests');
    expect((await again.drain({ now: true })).waiting).toBe(3);
    expect(server.double.requests.length).toBe(asked);
    server.clock.now += 10_001;
    await again.drain();
    await expectSent(again, 1);
  });

  it('sends the rest later if the server fails in the middle of a batch', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    for (const id of IDS) for (const turns of [1, 2, 3, 4]) await turnWithVectors(machine, id, turns);
    let left = 2;
    server.double.options.fault = (request) => {
      if (!isWrite(request)) return null;
      left -= 1;
      return left < 0 ? { answer: 500, error: 'disk full' } : null;
    };
    const { problem } = await machine.drain();
    expect(problem?.message).toContain('disk full');
    server.double.options.fault = () => null;
    await drainInTime(server, machine);
    await expectSent(machine, 4);
  });

  it('stores everything once if the server answers too late', async () => {
    const server = await startSharedServer({}, { timeouts: { read: 1000, write: 1000 } });
    const machine = server.machine('atlas');
    for (const id of IDS) await turnWithVectors(machine, id, 1);
    await drainInTime(server, machine);
    server.double.options.fault = nth(1, { delay: 1500 }, isWrite);
    for (const id of IDS) await turnWithVectors(machine, id, 2);
    await machine.drain();
    await drainInTime(server, machine);
    await vi.waitUntil(() => server.double.underWay() === 0, { timeout: 10_000 });
    await expectSent(machine, 2);
  });

  it('continues indexing if the server rejects the key, and sends everything with the right one', async () => {
    const server = await startSharedServer({ keys: { write: 'right' } });
    const machine = server.machine('atlas');
    for (const id of IDS) await turn(machine, id, 1);
    const { problem, waiting } = await machine.drain();
    expect(problem).toMatchObject({
      message: expect.stringContaining('rejects the API key'),
      hint: expect.stringContaining('QDRANT_API_KEY'),
    });
    expect(waiting).toBe(3);
    delete server.double.options.keys;
    await drainInTime(server, machine);
    await expectSent(machine, 1);
  });

  it('sends all other sessions if the server refuses one', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    server.double.options.fault = ({ body }) =>
      JSON.stringify(body).includes('b text') ? { answer: 400, error: 'Bad request: no' } : null;
    for (const id of IDS) await turn(machine, id, 1);
    const report = await machine.drain();
    expect(report).toMatchObject({
      sent: 2,
      waiting: 1,
      problem: { message: expect.stringContaining('b: ') },
    });
    expect(machine.outbox.counts()).toMatchObject({ waiting: 1, failing: 1 });
    server.double.options.fault = () => null;
    expect((await machine.drain()).waiting).toBe(1);
    await drainInTime(server, machine);
    await expectSent(machine, 1);
  });
});

describe('a collection that changes during a drain', { timeout: 30_000 }, () => {
  it('refills a collection that was deleted during a drain', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    for (const id of IDS) await turnWithVectors(machine, id, 1);
    await drainInTime(server, machine);
    server.double.collections.clear();
    await turnWithVectors(machine, 'a', 2);
    await drainInTime(server, machine);
    expect(await machine.remote.count()).toMatchObject({ sessions: 3, chunks: 4, intents: 4, vectors: 8 });
  });

  it('sends every text to a collection whose dimensions changed, and reports why it accepts no vector', async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    for (const id of IDS) await turnWithVectors(machine, id, 1);
    await drainInTime(server, machine);
    server.double.collections.clear();
    await fetch(`${server.double.url}/collections/claude_sessions`, {
      method: 'PUT',
      body: JSON.stringify({
        vectors: { dense: { size: 4, distance: 'Cosine', on_disk: true } },
        sparse_vectors: { bm25_session: { modifier: 'idf' }, bm25_chunk: { modifier: 'idf' } },
        strict_mode_config: { enabled: false },
      }),
    });
    for (const id of IDS) await turnWithVectors(machine, id, 2);
    const report = await machine.restart().drain();
    expect(report).toMatchObject({
      waiting: 0,
      vectorsRefused: { message: expect.stringContaining('dimension'), hint: expect.any(String) },
    });
    const { chunks } = await machine.local.count();
    expect(await machine.remote.count()).toMatchObject({ sessions: 3, chunks, vectors: 0 });
  });
});

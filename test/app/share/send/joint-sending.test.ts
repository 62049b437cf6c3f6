import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getSession } from '../../../../src/app/sessions/get-session.ts';
import { runJson } from '../../../support/machines/cli.ts';
import { createSharingWorld, writeSession } from '../../../support/machines/sharing-world.ts';
import { archiveOf, transcriptOn } from '../../../support/qdrant/archive-points.ts';
import type { Fault } from '../../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { type SharedServer, startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { sampleOf, withTranscripts } from '../../../support/qdrant/with-transcripts.ts';
import {
  jsonl,
  line,
  sampleLines,
  stampLines,
  uuidOf,
} from '../../../support/transcripts/claude-transcripts.ts';
import { sessionPayload } from '../../../support/transcripts/sample-sessions.ts';

const setUp = async () => {
  const server = await startSharedServer();
  const machine = server.machine('atlas');
  return { server, machine, ...withTranscripts(server, machine) };
};
type SetUp = Awaited<ReturnType<typeof setUp>>;

/** The requests made by a drain. */
async function requestsOf(server: SharedServer, work: () => Promise<unknown>) {
  const before = server.double.requests.length;
  await work();
  return server.double.requests.slice(before);
}

const textPartsOn = (server: SharedServer) =>
  archiveOf(server.double).filter(({ type }) => type === 'archive');

describe('sending a turn and its transcript', { timeout: 30_000 }, () => {
  it('sends a turn in three requests, together or separately, even for ten sessions', async () => {
    const { server, drain, turn, turnsThere } = await setUp();
    await turn(1);
    await drain();
    for (const turns of [2, 3, 4]) {
      await turn(turns);
      expect(await requestsOf(server, () => drain({ now: true }))).toHaveLength(3);
      expect(await turnsThere()).toBe(turns);
      // The superseded part is deleted by the next send.
      expect(textPartsOn(server)).toHaveLength(2);
    }
    await turn(5);
    expect(await requestsOf(server, () => drain())).toHaveLength(3);
    expect(textPartsOn(server)).toHaveLength(1);
    expect(await requestsOf(server, () => drain({ transcripts: true }))).toHaveLength(3);
    expect(await turnsThere()).toBe(5);
    expect(await requestsOf(server, () => drain({ now: true }))).toHaveLength(0);
    const ids = Array.from({ length: 10 }, (_, at) => `many-${at}`);
    for (const id of ids) await turn(1, id);
    // The server is asked first which sessions it has.
    expect(await requestsOf(server, () => drain({ now: true }))).toHaveLength(4);
    for (const id of ids) await turn(2, id);
    // The superseded parts of many sessions are deleted at once.
    expect(await requestsOf(server, () => drain({ now: true }))).toHaveLength(4);
    expect(await Promise.all(ids.map(turnsThere))).toEqual(ids.map(() => 2));
    expect(textPartsOn(server)).toHaveLength(11);
  });

  /**
   * Text and transcript are each complete, in the old or the new state; the transcript is never ahead of its
   * session.
   */
  const expectOneState = async ({ machine, turnsThere }: SetUp) => {
    const state = (await getSession(machine.remote, 'a'))?.content_hash;
    const session = [1, 2].find((turns) => sessionPayload(sampleOf(turns)).content_hash === state);
    const transcript = await turnsThere();
    expect([1, 2]).toContain(transcript);
    expect(transcript).toBeLessThanOrEqual(session ?? 0);
  };

  it.each([
    ['the server fails', { answer: 500 }],
    ['the connection breaks before the server acts', { cut: 'before' }],
    ['the connection breaks after the server acted', { cut: 'after' }],
    ...[1, 2, 3, 4].map((stop) => [`the server fails after ${stop} operations`, { stop }]),
  ] as [string, Fault][])(
    'stores text and transcript in one state, and once in the end, when %s, at any request',
    async (_, fault) => {
      for (let at = 0; ; at += 1) {
        const all = await setUp();
        const { server, machine, drain, turn, turnsThere } = all;
        await turn(1);
        await drain();
        await turn(2);
        let seen = -1;
        server.double.options.fault = () => {
          seen += 1;
          return seen === at ? fault : null;
        };
        await drain({ transcripts: true });
        delete server.double.options.fault;
        if (seen < at) break;
        await expectOneState(all);
        // The session may have grown since the interruption.
        await turn(3);
        while (machine.outbox.counts().waiting > 0) {
          server.clock.now += 60_000;
          await drain({ transcripts: true });
        }
        expect(await turnsThere()).toBe(3);
        expect(await machine.remote.getHashes('a')).toEqual(await machine.local.getHashes('a'));
        await turn(4);
        await drain();
        expect(textPartsOn(server)).toHaveLength(1);
        expect(at).toBeLessThan(12);
      }
    },
  );

  it('sends the text if the transcript is refused, and the transcript later', async () => {
    const { server, machine, drain, turn, turnsThere } = await setUp();
    server.double.options.fault = ({ body }) =>
      JSON.stringify(body ?? null).includes('"archive"') ? { answer: 413 } : null;
    await turn(1);
    expect(await drain()).toMatchObject({ sent: 0, waiting: 1, problem: { message: expect.any(String) } });
    expect(await machine.remote.getHashes('a')).toEqual(await machine.local.getHashes('a'));
    expect(await turnsThere()).toBe(0);
    delete server.double.options.fault;
    server.clock.now += 60_000;
    expect(await drain()).toMatchObject({ sent: 1, waiting: 0, problem: null });
    expect(await turnsThere()).toBe(1);
  });
});

describe('another machine that sends at the same time', { timeout: 30_000 }, () => {
  /** Delays a machine's next write until the other machine has acted. */
  const holdingWrite = (server: SharedServer) => {
    let arrive: () => void = () => undefined;
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    server.double.options.fault = ({ path }) => {
      if (!isFirst || !path.includes('/points/batch')) return null;
      isFirst = false;
      arrive();
      return { wait: released };
    };
    return { arrived, release };
  };

  it('keeps the transcript whole if another machine continues the session, and uses the winning copy', async () => {
    const { server, drain, turn, turnsThere } = await setUp();
    await turn(1);
    await drain();
    const other = server.machine('borea');
    const borea = withTranscripts(server, other);
    await borea.turn(1);
    await borea.drain();
    await turn(2);
    const { arrived, release } = holdingWrite(server);
    const sending = drain({ transcripts: true });
    await arrived;
    for (const turns of [2, 3]) await borea.turn(turns);
    expect(await borea.drain({ transcripts: true })).toMatchObject({ waiting: 0, problem: null });
    release();
    expect(await sending).toMatchObject({ waiting: 0, problem: null });
    const theirs = sessionPayload(sampleOf(3, 'a', 'borea'));
    expect(await getSession(other.remote, 'a')).toMatchObject(theirs);
    expect(await turnsThere()).toBe(3);
  });

  it('keeps the previous transcript whole if another machine sends only text', async () => {
    const { server, machine, drain, turn, turnsThere } = await setUp();
    await turn(1);
    await drain();
    await turn(2);
    const { arrived, release } = holdingWrite(server);
    const sending = drain({ transcripts: true });
    await arrived;
    // The same machine after a sleep: a request that it sent before is carried out late.
    const again = withTranscripts(server, machine.restart());
    await again.turn(3);
    await again.drain();
    expect(await turnsThere()).toBe(1);
    release();
    await sending;
    expect((await getSession(machine.remote, 'a'))?.content_hash).toBe(
      sessionPayload(sampleOf(3)).content_hash,
    );
    expect([1, 3]).toContain(await turnsThere());
    await again.drain({ transcripts: true });
    expect(await turnsThere()).toBe(3);
  });

  it('leaves nothing of a session forgotten by another machine during a send', async () => {
    const { server, machine, drain, turn } = await setUp();
    await turn(1);
    await drain();
    await turn(2);
    const { arrived, release } = holdingWrite(server);
    const sending = drain({ transcripts: true });
    await arrived;
    const forgotten_at = '2026-06-01T12:00:00.000Z';
    await server
      .machine('borea')
      .remote.forgetSessions([{ session_id: 'a', machine: 'borea', forgotten_at }]);
    release();
    await sending;
    expect(await getSession(machine.local, 'a')).toBeNull();
    expect(await machine.remote.count()).toMatchObject({ sessions: 0, chunks: 0 });
    expect(archiveOf(server.double)).toEqual([]);
    expect(await machine.remote.tombstones()).toHaveLength(1);
  });
});

it('sends one request from index if nothing changed, and three after a turn', {
  timeout: 60_000,
}, async () => {
  const double = await startCheckedDouble();
  onTestFinished(() => double.close());
  const atlas = createSharingWorld('atlas', double.url);
  const id = uuidOf('joint');
  const path = writeSession(atlas, id, sampleLines());
  const index = async () => {
    const before = double.requests.length;
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    return double.requests
      .slice(before)
      .map((request) => request.path.replace('/collections/claude_sessions', ''));
  };
  await index();
  expect(await index()).toEqual(['/points/scroll']);
  const more = [line.user('and the giraffes?'), line.assistant('Fed.')];
  appendFileSync(path, jsonl(stampLines(more, { sessionId: id, cwd: atlas.repository, after: 50 })));
  expect(await index()).toEqual(['/points', '/points/batch?wait=true', '/points']);
  expect(transcriptOn(double, id).toString()).toContain('giraffes');
  // A new collection with the same name gets everything, whether or not changes are pending.
  for (const turn of [false, true]) {
    double.collections.clear();
    if (turn)
      appendFileSync(path, jsonl(stampLines(more, { sessionId: id, cwd: atlas.repository, after: 60 })));
    await index();
    expect(transcriptOn(double, id)).toEqual(readFileSync(path));
  }
});

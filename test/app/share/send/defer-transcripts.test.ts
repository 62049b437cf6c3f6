import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { writeJobFile } from '../../../../src/adapters/spool/write-job-file.ts';
import { getSession } from '../../../../src/app/sessions/get-session.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { withTranscripts } from '../../../support/qdrant/with-transcripts.ts';
import { sessionIds, turnLines } from '../../../support/transcripts/claude-lines.ts';
import { ended, until, WorkerMachine } from '../../../support/workers/worker-machine.ts';

const MINUTE = 60_000;
const ID = 'a';
describe('the transcript of an active session', () => {
  const setUp = async () => {
    const server = await startSharedServer();
    const machine = server.machine('atlas');
    const all = { server, machine, ...withTranscripts(server, machine) };
    await all.turn(1);
    await all.drain();
    expect(await all.turnsThere()).toBe(1);
    return all;
  };

  it('sends a session’s texts at once in three requests, and its transcript once it is idle', async () => {
    const { server, machine, drain, turn, turnsThere } = await setUp();
    await turn(2);
    const before = server.double.requests.length;
    expect(await drain()).toMatchObject({ sent: 1, waiting: 0, problem: null });
    expect(server.double.requests.length - before).toBeLessThanOrEqual(3);
    expect(await machine.remote.getHashes(ID)).toEqual(await machine.local.getHashes(ID));
    expect(await turnsThere()).toBe(1);
    // Unsent changes must not be included in the server's answer.
    expect(machine.outbox.waiting()).toEqual([]);
    expect(machine.outbox.counts()).toMatchObject({ waiting: 0, since: null });
    expect(machine.outbox.counts().deferredUntil).toBe(server.clock.now + 5 * MINUTE);
    server.clock.now += 4 * MINUTE;
    await turn(3);
    await drain();
    server.clock.now += 4 * MINUTE;
    await drain();
    expect(await turnsThere()).toBe(1);
    server.clock.now += MINUTE;
    await drain();
    expect(await turnsThere()).toBe(3);
    expect(machine.outbox.counts().deferredUntil).toBeNull();
    expect(machine.outbox.get([ID])).toEqual([]);
  });

  it('defers a transcript for half an hour at most', async () => {
    const { server, drain, turn, turnsThere } = await setUp();
    for (let turns = 2; turns <= 9; turns += 1) {
      await turn(turns);
      await drain();
      expect(await turnsThere()).toBe(1);
      server.clock.now += 4 * MINUTE;
    }
    await turn(10);
    await drain();
    expect(await turnsThere()).toBe(10);
  });

  it.each([[{ now: true }], [{ transcripts: true }]])(
    'sends a transcript at once with %j, whether or not it was deferred before',
    async (options) => {
      const { drain, turn, turnsThere } = await setUp();
      await turn(2);
      await drain(options);
      expect(await turnsThere()).toBe(2);
      await turn(3);
      await drain();
      expect(await turnsThere()).toBe(2);
      await drain(options);
      expect(await turnsThere()).toBe(3);
    },
  );

  it('sends a deferred transcript from the next process, even after failures', async () => {
    const { server, machine, drain, turn } = await setUp();
    await turn(2);
    await drain();
    server.clock.now += 5 * MINUTE;
    server.double.options.fault = ({ body }) =>
      JSON.stringify(body ?? null).includes('"transcript"') ? { answer: 400 } : null;
    const next = withTranscripts(server, machine.restart());
    expect(await next.drain()).toMatchObject({ sent: 0, waiting: 1 });
    expect(machine.outbox.counts()).toMatchObject({ waiting: 1, failing: 1 });
    delete server.double.options.fault;
    server.clock.now += 60 * MINUTE;
    expect(await next.drain()).toMatchObject({ sent: 1, waiting: 0 });
    expect(await next.turnsThere()).toBe(2);
  });

  it('sends a deferred transcript, and retries after failures, even if the clock was set back', async () => {
    const { server, machine, drain, turn, turnsThere } = await setUp();
    await turn(2);
    await drain();
    server.clock.now -= 7 * 24 * 60 * MINUTE;
    expect(await drain()).toMatchObject({ sent: 1, waiting: 0 });
    expect(await turnsThere()).toBe(2);
    expect(machine.outbox.counts().deferredUntil).toBeNull();
    server.double.options.fault = () => ({ answer: 503 });
    await turn(3);
    await drain();
    delete server.double.options.fault;
    server.clock.now -= 7 * 24 * 60 * MINUTE;
    await drain();
    expect(machine.outbox.waiting()).toEqual([]);
  });

  it('does not send the transcript of a session deleted in the meantime', async () => {
    const { server, machine, drain, turn, turnsThere } = await setUp();
    await turn(2);
    await drain();
    await machine.local.deleteSessions([ID]);
    server.clock.now += 5 * MINUTE;
    await drain();
    expect(await turnsThere()).toBe(0);
    expect(machine.outbox.get([ID])).toEqual([]);
  });

  it('sends many transcripts in parallel, and delays only those that fail', async () => {
    const { server, machine, drain, turn, turnsThere } = await setUp();
    const ids = Array.from({ length: 12 }, (_, at) => `many-${at}`);
    for (const id of ids) await turn(1, id);
    server.double.options.fault = ({ body }) => {
      const text = JSON.stringify(body ?? null);
      return text.includes('"transcript"') && text.includes('many-7') ? { answer: 400 } : null;
    };
    expect(await drain()).toMatchObject({ sent: 11, waiting: 1 });
    expect(await Promise.all(ids.map(turnsThere))).toEqual(ids.map((id) => (id === 'many-7' ? 0 : 1)));
    delete server.double.options.fault;
    server.clock.now += MINUTE;
    expect(await drain()).toMatchObject({ sent: 1, waiting: 0 });
    expect(await turnsThere('many-7')).toBe(1);
    expect(machine.outbox.counts().waiting).toBe(0);
  });
});

describe('the worker with a deferred transcript', () => {
  it('keeps the worker running for a deferred transcript, and sends it when the session ends', {
    timeout: 60_000,
  }, async () => {
    const [id = ''] = sessionIds(1);
    const double = await startCheckedDouble();
    const machine = new WorkerMachine(inject('workerProgram'), { QDRANT_URL: double.url, TEST_IDLE_MS: '1' });
    onTestFinished(async () => {
      await machine.close();
      await double.close();
    });
    const leaveJob = (event: 'stop' | 'session-end') =>
      writeJobFile(join(machine.home, 'spool'), {
        event,
        transcriptPath: machine.transcript(id),
        sessionId: id,
        at: new Date().toISOString(),
      });
    const parts = await machine.parts();
    const sharing = await parts.sharing();
    machine.append(id, turnLines(id, 0));
    await machine.drain();
    const first = await sharing?.archive.find(id);
    expect(first).not.toBeNull();
    machine.append(id, turnLines(id, 1));
    leaveJob('stop');
    const worker = ended(machine.worker('idle'));
    await until(() => sharing?.outbox().counts().deferredUntil != null, 'the transcript to be deferred');
    expect((await sharing?.archive.find(id))?.contentHash).toBe(first?.contentHash);
    leaveJob('session-end');
    expect(JSON.parse((await worker).out)).toMatchObject({ ended: 'idle', jobs: 2 });
    expect(sharing?.outbox().counts().deferredUntil).toBeNull();
    const session = await getSession(await parts.localFile.open(), id);
    expect((await sharing?.archive.find(id))?.original.contentHash).toBe(session?.content_hash);
    await parts.close();
  });
});

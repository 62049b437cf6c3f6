import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteOutbox } from '../../../../src/adapters/sqlite/outbox/sqlite-outbox.ts';
import { rememberRefusals } from '../../../../src/app/share/embed/remember-refusals.ts';
import { tempFolder } from '../../../support/files/temp-folder.ts';
import { CLOUD_MODEL, inferenceService, REFUSALS } from '../../../support/qdrant/double/inference.ts';
import { refusalsInMemory } from '../../../support/qdrant/refusals-in-memory.ts';
import { NOON, startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { changeOf, growth, type Sample } from '../../../support/transcripts/sample-sessions.ts';

const MODEL = { id: CLOUD_MODEL, dimensions: 384 };
const MINUTE = 60_000;
const CAR: Sample = { id: 'car', chunks: ['the car runs', 'oil in the sump'], intents: ['mend it'] };

describe('a refusal by the embedding service', () => {
  const open = (path: string, clock: { now: number }) => {
    const outbox = openSqliteOutbox({ path, now: () => clock.now });
    onTestFinished(() => outbox.close());
    return rememberRefusals(
      () => outbox,
      () => clock.now,
    );
  };
  const REFUSAL = { message: 'no', hint: null };

  it('applies a refusal to embed to all processes of the machine, longer each time', () => {
    const path = join(tempFolder('refusals'), 'index.db');
    const clock = { now: NOON };
    const [one, other] = [open(path, clock), open(path, clock)];
    expect(one.current()).toBeNull();
    for (const minutes of [10, 20, 40]) {
      one.note(REFUSAL);
      clock.now += minutes * MINUTE - 1;
      expect(other.current()).toEqual(REFUSAL);
      clock.now += 1;
      expect(other.current()).toBeNull();
    }
    for (let tries = 0; tries < 20; tries += 1) one.note(REFUSAL);
    clock.now += 6 * 60 * MINUTE;
    expect(other.current()).toBeNull();
    expect(other.last()).toMatchObject({ message: 'no' });
    one.clear();
    expect(other.last()).toBeNull();
  });

  it('clears a refusal to embed when somebody waits, and after the clock was set back', () => {
    const clock = { now: NOON };
    const refusals = open(join(tempFolder('refusals'), 'index.db'), clock);
    refusals.note(REFUSAL);
    refusals.forget();
    expect(refusals.current()).toBeNull();
    refusals.note(REFUSAL);
    clock.now -= 365 * 24 * 60 * MINUTE;
    expect(refusals.current()).toBeNull();
  });
});

describe('a machine whose server embeds', () => {
  const start = async () => {
    const inference = inferenceService();
    const refusals = refusalsInMemory();
    const server = await startSharedServer({ inference }, { model: MODEL, refusals });
    return { ...server, inference, refusals };
  };

  it('sends a turn and its text to embed in three requests', async () => {
    const { double, inference, machine } = await start();
    const atlas = machine('atlas');
    await atlas.local.write([changeOf(CAR)]);
    expect(await atlas.drain()).toMatchObject({ sent: 1, waiting: 0, problem: null, vectorsRefused: null });
    expect(inference.stored).toHaveLength(3);
    const from = double.requests.length;
    const longer = { ...CAR, chunks: [...(CAR.chunks ?? []), 'the brakes hold'] };
    await atlas.local.write([growth(CAR, longer)]);
    expect(await atlas.drain()).toMatchObject({ sent: 1, waiting: 0 });
    expect(double.requests).toHaveLength(from + 3);
    expect(inference.stored.slice(3)).toEqual(['the brakes hold']);
  });

  it('sends each turn in three requests while the service refuses, and reports the refusal once', async () => {
    const { double, inference, machine, refusals } = await start();
    const atlas = machine('atlas');
    inference.refuse = REFUSALS.quota;
    await atlas.local.write([changeOf(CAR)]);
    const { vectorsRefused, ...rest } = await atlas.drain();
    expect(rest).toMatchObject({ sent: 1, waiting: 0, problem: null });
    expect(vectorsRefused?.message).toContain('quota exceeded');
    const from = double.requests.length;
    const longer = { ...CAR, chunks: [...(CAR.chunks ?? []), 'the brakes hold'] };
    await atlas.local.write([growth(CAR, longer)]);
    expect(await atlas.drain()).toMatchObject({ sent: 1, waiting: 0, vectorsRefused: null });
    expect(double.requests).toHaveLength(from + 3);
    expect(refusals.noted).toHaveLength(1);
    expect(await atlas.remote.count()).toMatchObject({ chunks: 3, vectors: 0 });

    inference.refuse = undefined;
    refusals.forget();
    // A new process begins with a handshake.
    expect(await atlas.restart().drain()).toMatchObject({ vectorsRefused: null });
    expect(inference.stored.toSorted()).toEqual([...longer.chunks, 'mend it'].toSorted());
  });

  it('holds back texts as long as the service asks, then sends each once', async () => {
    const { double, clock, inference, machine } = await start();
    const atlas = machine('atlas');
    const busy = {
      answer: 429,
      headers: { 'retry-after': '90' },
      error: 'Too many requests for inference service',
    };
    double.options.fault = ({ body }) => (JSON.stringify(body).includes('"text":') ? busy : null);
    await atlas.local.write([changeOf(CAR)]);
    expect(await atlas.drain()).toMatchObject({
      sent: 0,
      waiting: 1,
      problem: { message: expect.any(String) },
    });
    expect(atlas.outbox.server.notes().pause).toMatchObject({ until: NOON + 90_000, asked: true });
    delete double.options.fault;
    expect(await atlas.drain()).toMatchObject({ sent: 0, waiting: 1 });
    clock.now += 91_000;
    expect(await atlas.drain()).toMatchObject({ sent: 1, waiting: 0 });
    expect(inference.stored).toHaveLength(3);
  });
});

import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { getSession } from '../../../../src/app/sessions/get-session.ts';
import { embedForOthers } from '../../../../src/app/share/embed/embed-for-others.ts';
import type { RemoteStore } from '../../../../src/ports/remote-store.ts';
import { tempFolder } from '../../../support/files/temp-folder.ts';
import { writeTinyModel } from '../../../support/models/tiny-model.ts';
import type { QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { countWaiting } from '../../../support/stores/ask-store.ts';
import { sessionIds, turnLines } from '../../../support/transcripts/claude-lines.ts';
import { ended, WorkerMachine } from '../../../support/workers/worker-machine.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const HOUR = 3_600_000;
const [ID = ''] = sessionIds(1);

/** A machine without a model that has sent its sessions, and another machine with the model. */
async function setUp(more: Record<string, string> = {}) {
  const double = await startCheckedDouble();
  const common = { QDRANT_URL: double.url, SMART_FORK_MODEL: MODEL, TEST_IDLE_MS: '1' };
  const bare = new WorkerMachine(inject('workerProgram'), { ...common, SMART_FORK_MACHINE: 'bare' });
  const helper = new WorkerMachine(inject('workerProgram'), {
    ...common,
    SMART_FORK_MACHINE: 'helper',
    SMART_FORK_MODEL_DIR: await writeTinyModel(join(tempFolder('model'), 'tiny'), { dimensions: 384 }),
    ...more,
  });
  bare.append(ID, turnLines(ID, 0));
  await bare.drain();
  const parts = await helper.parts();
  const remote = await (await parts.sharing())?.remote();
  if (remote === undefined) throw new Error('there is no server');
  onTestFinished(async () => {
    await parts.close();
    await bare.close();
    await helper.close();
    await double.close();
  });
  expect(await textsWithout(remote)).toBe(2);
  return { double, helper, parts, remote, embedder: await parts.embedding.embedder() };
}

async function textsWithout(remote: RemoteStore): Promise<number> {
  const { intents, chunks } = await countWaiting(remote);
  return intents + chunks;
}

function asksForVectors({ requests }: QdrantDouble): number {
  return requests.filter(({ body }) => JSON.stringify(body ?? null).includes('has_vector')).length;
}

it('embeds what a machine without a model has sent, and looks once an hour', {
  timeout: 60_000,
}, async () => {
  const { double, helper, remote } = await setUp();
  const first = await ended(helper.worker('idle'));
  expect(JSON.parse(first.out)).toMatchObject({ ended: 'idle', embedded: 3 });
  expect(await textsWithout(remote)).toBe(0);
  expect(await remote.count({ sessionIds: [ID] })).toMatchObject({ vectors: 3 });
  expect(await getSession(remote, ID)).toMatchObject({ machine: 'bare' });
  const asked = asksForVectors(double);
  expect(JSON.parse((await ended(helper.worker('idle'))).out)).toMatchObject({ ended: 'idle', embedded: 0 });
  expect(asksForVectors(double)).toBe(asked);
});

it('leaves other machines’ passages alone if the worker must end after its own work', {
  timeout: 60_000,
}, async () => {
  const { helper, remote } = await setUp();
  await helper.drain();
  expect(await textsWithout(remote)).toBe(2);
});

it('continues the worker’s other tasks when the server fails', { timeout: 60_000 }, async () => {
  const { double, helper, remote } = await setUp();
  double.options.fault = ({ path }) => (path.includes('/points/vectors') ? { answer: 500 } : null);
  const { out, code } = await ended(helper.worker('idle'));
  expect([JSON.parse(out), code]).toMatchObject([{ ended: 'idle', embedded: 0 }, 0]);
  delete double.options.fault;
  expect(await textsWithout(remote)).toBe(2);
});

it('leaves the last hour’s texts to the machine that wrote them', async () => {
  const { remote, embedder } = await setUp();
  const written = Date.parse('2026-01-01T00:00:00Z');
  expect(await embedForOthers({ remote, embedder, now: () => written + HOUR - 1 })).toBe(0);
  expect(await embedForOthers({ remote, embedder, now: () => written + 2 * HOUR })).toBe(3);
});

it('embeds nothing for a server that stores another model’s vectors', async () => {
  const { remote, embedder } = await setUp();
  const other = { ...embedder, model: { ...embedder.model, id: 'somebody/else' } };
  expect(await embedForOthers({ remote, embedder, now: Date.now }, { limit: 1 })).toBe(1);
  expect(await embedForOthers({ remote, embedder: other, now: Date.now })).toBe(0);
  expect(await textsWithout(remote)).toBe(1);
});

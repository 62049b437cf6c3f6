import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { writeJobFile } from '../../../src/adapters/spool/write-job-file.ts';
import type { WorkerIndex } from '../../../src/app/worker/worker-dependencies.ts';
import { openWorkerIndex, runWorkerProcess } from '../../../src/compose/worker.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import type { LocalStore } from '../../../src/ports/outbox.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { writeInPlace } from '../../../src/ports/point-store.ts';
import { dumpIndex } from '../../support/files/dump-index.ts';
import { sessionIds, turnLines } from '../../support/transcripts/claude-lines.ts';
import { WorkerMachine } from '../../support/workers/worker-machine.ts';

const [A = '', B = ''] = sessionIds(2);

let machine: WorkerMachine;
beforeEach(() => {
  machine = new WorkerMachine(inject('workerProgram'));
  for (const sessionId of [A, B]) {
    machine.append(sessionId, turnLines(sessionId, 0));
    const transcriptPath = machine.transcript(sessionId);
    const at = new Date().toISOString();
    writeJobFile(`${machine.home}/spool`, { event: 'stop', transcriptPath, sessionId, at });
  }
});
afterEach(() => machine.close());

/** Runs a worker in this process, with a failing store. */
async function drainWith(failing: (write: PointStore['write']) => PointStore['write']) {
  const open = async (): Promise<WorkerIndex> => {
    const opened = await openWorkerIndex(await machine.parts());
    const { store } = opened.index;
    const broken: LocalStore = { ...store, write: failing(store.write) };
    const writer = writeInPlace(broken, createLexicalTokenizer());
    return { ...opened, index: { ...opened.index, store: broken, writer } };
  };
  const { signal } = new AbortController();
  const { errors } = await machine.parts();
  return runWorkerProcess({ home: machine.home, host: 'here', until: 'drain', errors, signal, open });
}

function away(): SmartForkError {
  return new SmartForkError('STORE_UNAVAILABLE', 'the disk is full');
}

it('waits for a store that is briefly unavailable, without counting a failed try of the job', async () => {
  let failures = 2;
  const report = await drainWith((write) => async (changes) => {
    failures -= 1;
    if (failures >= 0) throw away();
    return write(changes);
  });
  expect(failures).toBeLessThan(0);
  expect(report).toMatchObject({ ended: 'drained', jobs: 2, waiting: 0, failed: 0 });
  expect(dumpIndex(machine.home).sessions).toHaveLength(2);
}, 60_000);

it('fails only the transcript that the store refuses', async () => {
  const report = await drainWith((write) => async (changes) => {
    if (changes.some(({ session }) => session.payload.session_id === A)) throw away();
    return write(changes);
  });
  expect(report).toMatchObject({ ended: 'drained', jobs: 1, waiting: 1 });
  expect(dumpIndex(machine.home).sessions).toHaveLength(1);
}, 60_000);

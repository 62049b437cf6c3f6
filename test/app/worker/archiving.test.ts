import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { writeJobFile } from '../../../src/adapters/spool/write-job-file.ts';
import { rounds } from '../../support/campaign.ts';
import { bytesOf, openArchive } from '../../support/machines/archive-place.ts';
import { sessionIds, turnLines } from '../../support/transcripts/claude-lines.ts';
import { ended, until, WorkerMachine } from '../../support/workers/worker-machine.ts';

const KILLS = rounds({ quick: 2, slow: 100 });
const SESSIONS = sessionIds(6);
const [A = '', B = ''] = SESSIONS;

let machine: WorkerMachine;
beforeEach(() => {
  machine = new WorkerMachine(inject('workerProgram'));
});
afterEach(() => machine.close());

function leaveJob(sessionId: string): void {
  const at = new Date().toISOString();
  const transcriptPath = machine.transcript(sessionId);
  writeJobFile(join(machine.home, 'spool'), { event: 'stop', transcriptPath, sessionId, at });
}

/** Whether the archive has the transcript in its current state. */
async function isArchived(sessionId: string): Promise<boolean> {
  const kept = await bytesOf(openArchive(machine.home), sessionId);
  return kept?.equals(readFileSync(machine.transcript(sessionId))) === true;
}

it('archives sessions with and without a hook', async () => {
  machine.append(A, turnLines(A, 0));
  machine.append(B, turnLines(B, 0));
  leaveJob(A);
  await machine.drain();
  expect([await isArchived(A), await isArchived(B)]).toEqual([true, true]);
  machine.append(A, turnLines(A, 1));
  leaveJob(A);
  await machine.drain();
  expect(await isArchived(A)).toBe(true);
});

it('keeps the archived copy of a transcript that the agent deleted', async () => {
  machine.append(A, turnLines(A, 0));
  await machine.drain();
  const bytes = readFileSync(machine.transcript(A));
  rmSync(machine.transcript(A));
  machine.append(B, turnLines(B, 0));
  leaveJob(B);
  await machine.drain();
  expect((await bytesOf(openArchive(machine.home), A))?.equals(bytes)).toBe(true);
});

it('ends although a transcript without messages is never archived', async () => {
  machine.append(A, turnLines(A, 0));
  machine.append(B, ['{"type":"summary","summary":"nobody said anything"}\n']);
  const { out } = await ended(machine.worker('idle'));
  expect(JSON.parse(out).ended).toBe('idle');
  expect(await isArchived(A)).toBe(true);
  expect(await bytesOf(openArchive(machine.home), B)).toBeNull();
});

it('archives nothing if the archive is off', async () => {
  machine.env.SMART_FORK_ARCHIVE = 'off';
  machine.append(A, turnLines(A, 0));
  await machine.drain();
  expect(existsSync(join(machine.home, 'archive'))).toBe(false);
});

it(
  `leaves every archived copy whole after ${KILLS} workers were killed while archiving`,
  async () => {
    const archive = openArchive(machine.home);
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const id of SESSIONS) machine.append(id, turnLines(id, kill, 3000));
      const before = new Map<string, Buffer | null>();
      for (const id of SESSIONS) before.set(id, await bytesOf(archive, id));
      const worker = machine.worker('drain');
      const over = ended(worker);
      // In the middle of its work: as soon as this many copies have been started.
      const begun = () => countFiles(join(machine.home, 'archive'));
      const target = begun() + 1 + (kill % (2 * SESSIONS.length));
      let isOver = false;
      void over.then(() => {
        isOver = true;
      });
      await until(() => isOver || begun() >= target, 'copies');
      worker.kill('SIGKILL');
      await over;
      // Each copy is complete at any moment, in the old or the new state.
      for (const id of SESSIONS) {
        const now = await bytesOf(archive, id);
        const transcript = readFileSync(machine.transcript(id));
        const isOld = now === null ? before.get(id) === null : before.get(id)?.equals(now) === true;
        expect(isOld || now?.equals(transcript) === true).toBe(true);
      }
    }
    await machine.drain();
    for (const id of SESSIONS) expect(await isArchived(id)).toBe(true);
    const left = readdirSync(join(machine.home, 'archive'), { recursive: true }).map(String);
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
  KILLS * 4000 + 60_000,
);

function countFiles(folder: string): number {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0;
}

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { writeJobFile } from '../../../src/adapters/spool/write-job-file.ts';
import { rounds } from '../../support/campaign.ts';
import { countFinds, countVectors, dumpIndex, indexAfresh } from '../../support/files/dump-index.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';
import { markOf, sessionIds, turnLines } from '../../support/transcripts/claude-lines.ts';
import { ended, WorkerMachine } from '../../support/workers/worker-machine.ts';

const KILLS = rounds({ quick: 4, slow: 200 });
const SESSIONS = sessionIds(8);

let machine: WorkerMachine;
beforeEach(() => {
  machine = new WorkerMachine(inject('workerProgram'));
});
afterEach(() => machine.close());

/** Agents that write whole turns, and lines in two halves, with a hook after most turns. */
function startAgents(): () => { marks: string[] } {
  const turns = new Map(SESSIONS.map((id) => [id, 0]));
  const halves: (() => void)[] = [];
  const marks: string[] = [];
  let step = 0;
  const write = () => {
    step += 1;
    halves.shift()?.();
    const id = SESSIONS[(step * 5) % SESSIONS.length] ?? '';
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    const [user = '', assistant = ''] = turnLines(id, turn, 20 + (step % 7) * 60);
    marks.push(markOf(id, turn, 'q'), markOf(id, turn, 'a'));
    const cut = Math.floor(assistant.length / 2);
    machine.append(id, [user, assistant.slice(0, cut)]);
    machine.append(id, [assistant.slice(cut)]);
    if (step % 5 > 0) leaveJob(id);
  };
  const timer = setInterval(write, 25);
  return () => {
    clearInterval(timer);
    return { marks };
  };
}

function leaveJob(sessionId: string): void {
  const at = new Date().toISOString();
  const transcriptPath = machine.transcript(sessionId);
  writeJobFile(join(machine.home, 'spool'), { event: 'stop', transcriptPath, sessionId, at });
}

it(
  `indexes every line exactly once although ${KILLS} workers were killed`,
  async () => {
    machine.env.SMART_FORK_MODEL_DIR = await writeTinyModel(join(machine.root, 'model'));
    const stopAgents = startAgents();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const worker = machine.worker('follow');
      await sleep(150 + Math.random() * 450);
      worker.kill('SIGKILL');
      const { err } = await ended(worker);
      expect(err).toBe('');
    }
    const { marks } = stopAgents();
    // On a slow machine a job may be in progress at five kills; it is then given up until the session's next hook.
    for (const id of SESSIONS) leaveJob(id);
    await machine.drain();
    await machine.drain();
    expect(machine.status()).toMatchObject({ waiting: 0, failed: 0 });
    const finds = countFinds(machine.home, marks);
    expect([...finds].filter(([, count]) => count.join() !== '1,1')).toEqual([]);
    expect(dumpIndex(machine.home)).toEqual(await indexAfresh(machine));
    const { points, vectors } = countVectors(machine.home);
    expect(vectors).toBe(points);
  },
  KILLS * 2500 + 60_000,
);

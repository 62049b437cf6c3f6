import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { writeJobFile } from '../../../src/adapters/spool/write-job-file.ts';
import { rounds } from '../../support/campaign.ts';
import { dumpIndex, indexAfresh } from '../../support/files/dump-index.ts';
import { sessionIds, turnLines } from '../../support/transcripts/claude-lines.ts';
import { ended, until, WorkerMachine } from '../../support/workers/worker-machine.ts';

/** A week of work: about 5,000 turns in 60 sessions. */
const TURNS = rounds({ quick: 50, slow: 5000 });
const SESSIONS = sessionIds(rounds({ quick: 6, slow: 60 }));

let machine: WorkerMachine;
beforeEach(() => {
  machine = new WorkerMachine(inject('workerProgram'));
});
afterEach(() => machine.close());

interface Sample {
  /** CPU time since the worker started. */
  cpuMs: number;
  /** The worker's anonymous memory in MB, without mapped pages of the database. */
  memory: number;
}

/** Writes one turn of a session and indexes it. */
async function haveTurn(step: number): Promise<Sample> {
  const sessionId = SESSIONS[step % SESSIONS.length] ?? '';
  machine.append(sessionId, turnLines(sessionId, Math.floor(step / SESSIONS.length), 200));
  const transcriptPath = machine.transcript(sessionId);
  const at = new Date().toISOString();
  writeJobFile(join(machine.home, 'spool'), { event: 'stop', transcriptPath, sessionId, at });
  await until(() => machine.status().record?.jobs === step + 1, `turn ${step}`);
  const { record } = machine.status();
  const pid = record?.pid ?? 0;
  return { cpuMs: cpuOf(pid), memory: memoryOf(pid) };
}

function memoryOf(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** In ticks of 10 ms. Unlike elapsed time, it hardly depends on other load on the machine. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

function cpuWithin(samples: Sample[]): number {
  return (samples.at(-1)?.cpuMs ?? Number.NaN) - (samples[0]?.cpuMs ?? Number.NaN);
}

it.runIf(process.platform === 'linux')(
  `spends no more on the last of ${TURNS} turns in ${SESSIONS.length} sessions than on the first`,
  async () => {
    const worker = machine.worker('follow');
    const samples: Sample[] = [];
    for (let step = 0; step < TURNS; step += 1) samples.push(await haveTurn(step));
    worker.kill('SIGTERM');
    await ended(worker);

    const part = Math.floor(TURNS / 5);
    const [first, last] = [samples.slice(part, 2 * part), samples.slice(-part)];
    const figures = {
      firstCpuMs: cpuWithin(first),
      lastCpuMs: cpuWithin(last),
      firstMemory: Math.max(...first.map(({ memory }) => memory)),
      lastMemory: Math.max(...last.map(({ memory }) => memory)),
      stateBytes: statSync(join(machine.home, 'state.db')).size,
    };
    expect(figures.lastCpuMs).toBeLessThanOrEqual(2 * figures.firstCpuMs + 200);
    expect(figures.lastMemory).toBeLessThan(figures.firstMemory * 1.3 + 20);
    expect(figures.stateBytes).toBeLessThan(100_000 + SESSIONS.length * 20_000);
    await machine.drain();
    expect(dumpIndex(machine.home)).toEqual(await indexAfresh(machine));
  },
  TURNS * 200 + 60_000,
);

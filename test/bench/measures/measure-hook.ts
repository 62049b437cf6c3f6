import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countFinds } from '../../support/files/dump-index.ts';
import { markOf, sessionIds, turnLines } from '../../support/transcripts/claude-lines.ts';
import { buildWorkerProgram } from '../../support/workers/build-worker-program.ts';
import { ended, until, WorkerMachine } from '../../support/workers/worker-machine.ts';

/** Medians in milliseconds, each next to its floor. */
export interface Row {
  what: string;
  ms: number;
  /** `node -e 0`, measured alternately. */
  nodeMs: number | null;
  target: string;
}

const RUNS = 40;
const AT_ONCE = 100;
const ROUNDS = 4;
const TURNS = 15;

export async function measureHook(): Promise<Row[]> {
  const { program, remove } = await buildWorkerProgram();
  try {
    return [
      await withMachine(program, nextToWorker),
      await withMachine(program, manyAtOnce),
      await withMachine(program, turnToFoundCold),
      await withMachine(program, turnToFoundWarm),
    ];
  } finally {
    remove();
  }
}

/** A hook while a worker is running, the usual case. */
async function nextToWorker(machine: WorkerMachine, program: string): Promise<Row> {
  const [id = ''] = sessionIds(1);
  await machine.hook('stop', machine.stopInput(id));
  await until(() => machine.status().running, 'the worker');
  writeFileSync(join(machine.home, 'worker.json'), JSON.stringify({ pid: process.pid }));
  const [hook, node]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    node.push(await timeProcess(machine, ['-e', '0'], ''));
    hook.push(await timeProcess(machine, [program, 'hook', 'stop'], machine.stopInput(id)));
  }
  return { what: 'a hook', ms: median(hook), nodeMs: median(node), target: '2 x node' };
}

async function manyAtOnce(machine: WorkerMachine, program: string): Promise<Row> {
  const ids = sessionIds(AT_ONCE);
  for (const id of ids) machine.append(id, turnLines(id, 0));
  const [hook, node]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    node.push(...(await Promise.all(ids.map(() => timeProcess(machine, ['-e', '0'], '')))));
    const start = (id: string) => timeProcess(machine, [program, 'hook', 'stop'], machine.stopInput(id));
    hook.push(...(await Promise.all(ids.map(start))));
  }
  await until(() => machine.status().waiting === 0 && !machine.status().running, 'the worker to end');
  return { what: `${AT_ONCE} hooks at once`, ms: median(hook), nodeMs: median(node), target: '2 x node' };
}

/** Time from the end of a turn until search finds it: starting hook and worker, reading, writing. */
async function turnToFoundCold(machine: WorkerMachine): Promise<Row> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.push(await timeTurn(machine, turn));
    await machine.workerGone();
  }
  return { what: 'turn to found, worker to be started', ms: median(times), nodeMs: null, target: '2000 ms' };
}

async function turnToFoundWarm(machine: WorkerMachine): Promise<Row> {
  const worker = machine.worker('follow');
  await until(() => machine.status().running, 'the worker');
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) times.push(await timeTurn(machine, turn));
  worker.kill('SIGTERM');
  await ended(worker);
  return { what: 'turn to found, worker alive', ms: median(times), nodeMs: null, target: '2000 ms' };
}

async function timeTurn(machine: WorkerMachine, turn: number): Promise<number> {
  const [id = ''] = sessionIds(1);
  machine.append(id, turnLines(id, turn));
  const started = performance.now();
  await machine.hook('stop', machine.stopInput(id));
  const word = markOf(id, turn, 'a');
  await until(() => countFinds(machine.home, [word]).get(word)?.[1] === 1, `turn ${turn}`);
  return performance.now() - started;
}

async function timeProcess(machine: WorkerMachine, args: string[], input: string): Promise<number> {
  const started = performance.now();
  const child = machine.start(args);
  child.stdin?.end(input);
  await ended(child);
  return performance.now() - started;
}

async function withMachine(
  program: string,
  measure: (machine: WorkerMachine, program: string) => Promise<Row>,
): Promise<Row> {
  const machine = new WorkerMachine(program, { TEST_IDLE_MS: '200' });
  try {
    return await measure(machine, program);
  } finally {
    await machine.workerGone();
    await machine.close();
  }
}

function median(numbers: number[]): number {
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
  return Math.round(middle * 10) / 10;
}

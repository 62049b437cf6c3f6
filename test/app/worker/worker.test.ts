import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openFileSpool } from '../../../src/adapters/spool/file-spool.ts';
import { createWorkerRecordFile } from '../../../src/adapters/spool/worker-record-file.ts';
import { writeJobFile } from '../../../src/adapters/spool/write-job-file.ts';
import { openSqliteLease } from '../../../src/adapters/sqlite/state/sqlite-lease.ts';
import { isOnBattery } from '../../../src/adapters/system/power.ts';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { runWorker, type WorkerReport } from '../../../src/app/worker/run-worker.ts';
import type { WorkerDependencies, WorkerIndex } from '../../../src/app/worker/worker-dependencies.ts';
import { openWorkerIndex, workerOpening } from '../../../src/compose/worker.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { WorkerRecord } from '../../../src/ports/job-spool.ts';
import { countFinds, countVectors, dumpIndex, indexAfresh } from '../../support/files/dump-index.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';
import { markOf, sessionIds, turnLines } from '../../support/transcripts/claude-lines.ts';
import { ended, until, WorkerMachine } from '../../support/workers/worker-machine.ts';

const [A = '', B = '', C = ''] = sessionIds(3);

let machine: WorkerMachine;
beforeEach(() => {
  machine = new WorkerMachine(inject('workerProgram'));
});
afterEach(() => machine.close());

function leaveJob(sessionId: string, transcriptPath: string | null = machine.transcript(sessionId)): void {
  const at = new Date().toISOString();
  writeJobFile(join(machine.home, 'spool'), { event: 'stop', transcriptPath, sessionId, at });
}

function isFound(sessionId: string, turn: number): boolean {
  const word = markOf(sessionId, turn, 'a');
  return countFinds(machine.home, [word]).get(word)?.[1] === 1;
}

function tick(start: number): () => number {
  let time = start;
  return () => {
    time += 1;
    return time;
  };
}

interface Here {
  clock?: () => number;
  /** Called when the worker first records that it is idle, before its time can be up. */
  onIdle?: () => void;
  /** Called with each record. */
  onRecord?: (record: WorkerRecord) => void;
  /** Called before each batch is embedded. */
  onEmbed?: () => void;
}

/** Runs a worker in this process. Its clock advances each time the worker records that it is idle. */
async function runWorkerHere(
  until: 'idle' | 'drain',
  { clock = Date.now, onIdle, onRecord, onEmbed = () => undefined }: Here,
): Promise<WorkerReport> {
  const { home } = machine;
  const idleMs = 40;
  let skipped = 0;
  const now = () => clock() + skipped;
  const file = createWorkerRecordFile(home);
  const write = (record: WorkerRecord) => {
    file.write(record);
    onRecord?.(file.read() ?? record);
    if (record.state !== 'idle') return;
    if (skipped === 0) onIdle?.();
    skipped += idleMs;
  };
  const spool = openFileSpool({ folder: join(home, 'spool'), now });
  const path = join(home, 'state.db');
  const lease = openSqliteLease({ path, name: 'worker', pid: process.pid, host: 'here', now });
  const deps: WorkerDependencies = {
    lease,
    spool,
    records: { ...file, write },
    log: { info: () => undefined, error: () => undefined, close: async () => undefined },
    open: () => openNoting(onEmbed),
    onBattery: () => false,
    watch: async () => async () => undefined,
    pid: process.pid,
    now,
  };
  const { signal } = new AbortController();
  try {
    return await runWorker(deps, { until, idleMs, watch: false, signal });
  } finally {
    spool.close();
    lease.close();
  }
}

async function openNoting(onEmbed: () => void): Promise<WorkerIndex> {
  const opened = await openWorkerIndex(await machine.parts());
  const embedder = async () => {
    const real = await opened.embedding.embedder();
    const embedDocuments: typeof real.embedDocuments = (texts, signal) => {
      onEmbed();
      return real.embedDocuments(texts, signal);
    };
    return { ...real, embedDocuments };
  };
  return { ...opened, embedding: { ...opened.embedding, embedder } };
}

const log = () => readFileSync(join(machine.home, 'logs/indexing.log'), 'utf8');

describe('the worker', () => {
  it('indexes transcripts that changed without a hook, then ends the worker', async () => {
    machine.append(A, turnLines(A, 0));
    machine.append(B, turnLines(B, 0));
    const { out, code } = await ended(machine.worker('drain'));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ ended: 'drained', jobs: 0, embedded: 0, waiting: 0, failed: 0 });
    expect(dumpIndex(machine.home)).toEqual(await indexAfresh(machine));
  });

  it('records how many transcripts are left, for those who wait for a new machine', async () => {
    const sessions = sessionIds(60);
    for (const session of sessions) machine.append(session, turnLines(session, 0));
    const left: number[] = [];
    await runWorkerHere('drain', {
      onRecord: (record) => {
        if (record.left !== undefined && record.left !== left.at(-1)) left.push(record.left);
      },
    });
    expect(left).toEqual([60, 35, 10, 0]);
  });

  it('indexes only what was asked for if the user turned automatic indexing off', async () => {
    for (const session of [A, B, C]) machine.append(session, turnLines(session, 0));
    leaveJob(A);
    const at = new Date().toISOString();
    const asked = { event: 'changed' as const, transcriptPath: machine.transcript(B), sessionId: B, at };
    writeJobFile(join(machine.home, 'spool'), asked);
    writeFileSync(join(machine.home, 'config.json'), '{"indexing": {"auto_index": false}}');
    const { out } = await ended(machine.worker('drain'));
    expect(JSON.parse(out)).toMatchObject({ ended: 'drained', jobs: 1, waiting: 0 });
    expect([A, B, C].map((session) => isFound(session, 0))).toEqual([false, true, false]);
    expect(existsSync(join(machine.home, 'archive'))).toBe(false);
  });

  it('ends the worker after being idle for a while, and records that it ended', async () => {
    const { out } = await ended(machine.worker('idle'));
    expect(JSON.parse(out).ended).toBe('idle');
    expect(machine.status()).toMatchObject({ running: false, record: { pid: null, state: 'ended' } });
  });

  it('ends the worker on SIGTERM', async () => {
    const worker = machine.worker('follow');
    await until(() => machine.status().running, 'the worker');
    worker.kill('SIGTERM');
    expect(JSON.parse((await ended(worker)).out).ended).toBe('stopped');
    expect(machine.status().running).toBe(false);
  });

  it('refuses to start while another worker runs', async () => {
    const first = machine.worker('follow');
    await until(() => machine.status().running, 'the worker');
    const { out } = await ended(machine.worker('drain'));
    expect(JSON.parse(out).ended).toBe('busy');
    first.kill('SIGTERM');
    await ended(first);
  });

  it('takes over from a killed worker', async () => {
    const first = machine.worker('follow');
    await until(() => machine.status().running, 'the worker');
    first.kill('SIGKILL');
    await ended(first);
    machine.append(A, turnLines(A, 0));
    await machine.hook('stop', machine.stopInput(A));
    await until(() => isFound(A, 0), 'the turn');
  });

  it('continues with the new store after another process replaced it', async () => {
    const worker = machine.worker('follow');
    const over = ended(worker);
    // Without a running worker, the hook would start one.
    await until(() => machine.status().running, 'the worker');
    machine.append(A, turnLines(A, 0));
    await machine.hook('stop', machine.stopInput(A));
    await until(() => isFound(A, 0), 'the turn');
    const parts = await machine.parts();
    await parts.localFile.drop();
    await indexTranscripts(await parts.indexing(), {});
    await parts.close();
    machine.append(A, turnLines(A, 1));
    await machine.hook('stop', machine.stopInput(A));
    await until(() => isFound(A, 1), 'the turn in the new store');
    worker.kill('SIGTERM');
    await over;
    await machine.drain();
    expect(dumpIndex(machine.home)).toEqual(await indexAfresh(machine));
  });

  it('indexes a turn that arrives while the worker is idle', async () => {
    machine.env.TEST_IDLE_MS = '600000';
    const worker = machine.worker('idle');
    await until(() => machine.status().record?.state === 'idle', 'the worker to be idle');
    machine.append(A, turnLines(A, 0));
    await machine.hook('stop', machine.stopInput(A));
    await until(() => isFound(A, 0), 'the turn');
    worker.kill('SIGTERM');
    await ended(worker);
    expect(log().match(/the worker starts/g)).toHaveLength(1);
  });

  it.each([
    ['runs', () => () => Date.now()],
    ['is stopped', (start: number) => () => start],
    ['advances each time it is read', (start: number) => tick(start)],
  ])('indexes lines that an agent writes after its hook, if the clock %s', async (_, makeClock) => {
    machine.append(A, turnLines(A, 0));
    leaveJob(A);
    const onIdle = () => machine.append(A, turnLines(A, 1));
    const report = await runWorkerHere('idle', { clock: makeClock(Date.now()), onIdle });
    expect(report).toMatchObject({ ended: 'idle', jobs: 1 });
    expect(isFound(A, 1)).toBe(true);
  });

  it('does not index a line until it is complete', async () => {
    const [user = '', assistant = ''] = turnLines(A, 0);
    machine.append(A, [user, assistant.slice(0, 100)]);
    leaveJob(A);
    await machine.drain();
    // A passage, an intent and a topic.
    expect(dumpIndex(machine.home).points).toHaveLength(3);
    expect(isFound(A, 0)).toBe(false);
    machine.append(A, [assistant.slice(100)]);
    await machine.drain();
    expect(isFound(A, 0)).toBe(true);
    expect(dumpIndex(machine.home)).toEqual(await indexAfresh(machine));
  });

  it('finds a session by its id when the job names no transcript, or a missing one', async () => {
    machine.append(A, turnLines(A, 0));
    machine.append(B, turnLines(B, 0));
    leaveJob(A, null);
    leaveJob(B, '/moved/away.jsonl');
    await machine.drain();
    expect([isFound(A, 0), isFound(B, 0)]).toEqual([true, true]);
  });

  it('does not take a transcript that was deleted for an error', async () => {
    leaveJob(A, '/nowhere/else.jsonl');
    await machine.drain();
    expect(machine.status()).toMatchObject({ failed: 0, record: { lastError: null } });
  });

  it('accepts the start of a session that has no transcript yet', async () => {
    const input = machine.stopInput(A);
    await machine.hook('session-start', input);
    await until(() => machine.status().record?.jobs === 1, 'the job');
    expect(machine.status()).toMatchObject({ waiting: 0, failed: 0, record: { lastError: null } });
  });

  it('finishes a job although a project folder is unreadable', async () => {
    machine.append(A, turnLines(A, 0));
    mkdirSync(join(machine.claude, 'projects/closed'), { mode: 0 });
    leaveJob(A);
    await machine.drain();
    expect(isFound(A, 0)).toBe(true);
    chmodSync(join(machine.claude, 'projects/closed'), 0o700);
  });

  it('writes only files that other users cannot read', async () => {
    machine.append(A, turnLines(A, 0));
    await machine.hook('stop', machine.stopInput(A));
    await until(() => machine.status().record?.state === 'ended', 'the worker to end');
    for (const path of ['', 'spool', 'logs', 'worker.json', 'index.db', 'state.db', 'logs/indexing.log']) {
      expect([path, statSync(join(machine.home, path)).mode & 0o077]).toEqual([path, 0]);
    }
  });
});

describe.runIf(process.platform === 'linux')('an unreadable transcript', () => {
  it('sets an unreadable transcript aside after five tries, without delaying others', async () => {
    // The path can be opened, but not read.
    symlinkSync('/proc/self/mem', machine.transcript(A));
    machine.append(B, turnLines(B, 0));
    leaveJob(A);
    leaveJob(B);
    for (let round = 0; round < 5; round += 1) {
      await machine.work();
      expect(isFound(B, 0)).toBe(true);
      skipWaiting();
    }
    expect(machine.status()).toMatchObject({
      waiting: 0,
      failed: 1,
      failures: [
        { job: { transcriptPath: machine.transcript(A) }, tries: 5, reason: expect.stringMatching(/EIO/) },
      ],
    });
  }, 120_000);

  it('no longer lists a transcript as failed once it is readable', async () => {
    symlinkSync('/proc/self/mem', machine.transcript(A));
    leaveJob(A);
    for (let round = 0; round < 5; round += 1) {
      await machine.work();
      skipWaiting();
    }
    rmSync(machine.transcript(A));
    machine.append(A, turnLines(A, 0));
    leaveJob(A);
    await machine.drain();
    expect(isFound(A, 0)).toBe(true);
    expect(machine.status()).toMatchObject({ failed: 0 });
  }, 120_000);
});

/** Makes delayed jobs due now. */
function skipWaiting(): void {
  const folder = join(machine.home, 'spool/retry');
  for (const name of readdirSync(folder)) {
    const note = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    writeFileSync(join(folder, name), JSON.stringify({ ...note, notBefore: 0 }));
  }
}

describe('an unusable store', () => {
  it('leaves jobs in the spool until the store is usable again', async () => {
    mkdirSync(machine.home, { recursive: true });
    writeFileSync(join(machine.home, 'index.db'), 'this is no database, and has been none for quite a while');
    machine.append(A, turnLines(A, 0));
    leaveJob(A);
    const { code } = await ended(machine.worker('drain'));
    expect(code).not.toBe(0);
    expect(machine.status()).toMatchObject({
      running: false,
      waiting: 1,
      failed: 0,
      record: { lastError: { message: expect.stringMatching(/index\.db/) } },
    });
    rmSync(join(machine.home, 'index.db'));
    await machine.drain();
    expect(isFound(A, 0)).toBe(true);
  });
});

describe('embedding in the worker', () => {
  beforeEach(async () => {
    machine.env.SMART_FORK_MODEL_DIR = await writeTinyModel(join(machine.root, 'model'));
  });

  it('gives every passage a vector after indexing it', async () => {
    machine.append(A, turnLines(A, 0));
    await machine.drain();
    const { points, vectors } = countVectors(machine.home);
    expect(points).toBeGreaterThan(1);
    expect(vectors).toBe(points);
  });

  it('continues where a killed worker stopped', async () => {
    for (const id of sessionIds(16)) {
      machine.append(id, Array.from({ length: 20 }, (_, turn) => turnLines(id, turn)).flat());
    }
    let before = 0;
    for (let round = 0; round < 4; round += 1) {
      const worker = machine.worker('drain');
      await until(() => countVectors(machine.home).vectors > before, 'more vectors');
      worker.kill('SIGKILL');
      await ended(worker);
      before = countVectors(machine.home).vectors;
    }
    expect(before).toBeLessThan(countVectors(machine.home).points);
    await machine.drain();
    const { points, vectors } = countVectors(machine.home);
    expect(vectors).toBe(points);
  }, 120_000);

  it('interrupts embedding for a new turn', async () => {
    for (const id of sessionIds(19).slice(3)) {
      machine.append(id, Array.from({ length: 20 }, (_, turn) => turnLines(id, turn)).flat());
    }
    const found: boolean[] = [];
    const onEmbed = () => {
      if (found.length === 1) {
        machine.append(C, turnLines(C, 0));
        leaveJob(C);
      }
      found.push(isFound(C, 0));
    };
    const report = await runWorkerHere('drain', { onEmbed });
    expect(report).toMatchObject({ ended: 'drained', jobs: 1 });
    expect(found.at(-1)).toBe(true);
    expect(found.indexOf(true)).toBeLessThan(found.length / 2);
  }, 120_000);

  it('skips embedding if the model is broken, while keyword indexing continues', async () => {
    rmSync(join(machine.env.SMART_FORK_MODEL_DIR ?? '', 'onnx/model_quantized.onnx'));
    writeFileSync(join(machine.env.SMART_FORK_MODEL_DIR ?? '', 'onnx/model_quantized.onnx'), 'junk');
    machine.append(A, turnLines(A, 0));
    await machine.drain();
    expect(isFound(A, 0)).toBe(true);
    expect(machine.status().record?.lastError?.message).toMatch(/model/i);
  });
});

it('indexes changes without a hook if it watches the transcripts', async () => {
  machine.append(A, turnLines(A, 0));
  const worker = machine.worker('follow', 'watch');
  await until(() => isFound(A, 0), 'the first turn');
  machine.append(A, turnLines(A, 1));
  mkdirSync(join(machine.claude, 'projects/-new'));
  writeFileSync(join(machine.claude, 'projects/-new', `${B}.jsonl`), turnLines(B, 0).join(''));
  await until(() => isFound(A, 1) && isFound(B, 0), 'the turns without a hook');
  worker.kill('SIGTERM');
  await ended(worker);
}, 120_000);

it('distinguishes battery power from mains power', () => {
  const supplies = join(machine.root, 'power');
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(supplies, path)), { recursive: true });
    writeFileSync(join(supplies, path), `${text}\n`);
  };
  expect(isOnBattery(supplies)).toBe(false);
  put('BAT0/type', 'Battery');
  put('BAT0/status', 'Discharging');
  expect(isOnBattery(supplies)).toBe(true);
  put('AC/type', 'Mains');
  put('AC/online', '1');
  expect(isOnBattery(supplies)).toBe(false);
  put('AC/online', '0');
  put('BAT0/scope', 'Device');
  expect(isOnBattery(supplies)).toBe(false);
});

it('applies a privacy rule written after its settings were read first', async () => {
  const load = () => loadConfig(machine.env);
  const open = workerOpening(await load(), load);
  mkdirSync(machine.home, { recursive: true });
  writeFileSync(join(machine.home, '.smartforkignore'), '/work/shop\n');
  const opened = await open();
  const subject = { path: '/t', workingDirectories: ['/work/shop'], repositories: [], branches: [] };
  expect(opened.index.privacy.allows(subject)).toBe(false);
  expect(await opened.isReplaced()).toBe(false);
  await opened.close();
});

it('applies a privacy rule written while the worker runs', async () => {
  const worker = machine.worker('follow');
  const jobs = (count: number) => () => (machine.status().record?.jobs ?? 0) >= count;
  machine.append(A, turnLines(A, 0));
  leaveJob(A);
  await until(jobs(1), 'the first turn');
  expect(isFound(A, 0)).toBe(true);
  writeFileSync(join(machine.home, '.smartforkignore'), '/work/shop\n');
  machine.append(A, turnLines(A, 1));
  leaveJob(A);
  await until(() => jobs(1)() && machine.status().waiting === 0 && !isFound(A, 0), 'the rule to be followed');
  expect(isFound(A, 1)).toBe(false);
  worker.kill('SIGTERM');
  await ended(worker);
  const parts = await machine.parts();
  expect(await getSession(await parts.local(), A)).toBeNull();
  await parts.close();
});

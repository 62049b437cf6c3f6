import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileSpool } from '../../../src/adapters/spool/file-spool.ts';
import type { Job } from '../../../src/domain/machine/job.ts';
import type { JobSpool, TakenJob } from '../../../src/ports/job-spool.ts';
import { until } from '../../support/workers/worker-machine.ts';

let folder: string;
let now: number;
let spool: JobSpool;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-spool-'));
  now = Date.now();
  spool = open();
});
afterEach(() => {
  spool.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): JobSpool {
  return openFileSpool({ folder, now: () => now, random: () => 0 });
}

function job(name: string, event: Job['event'] = 'stop'): Job {
  return { event, transcriptPath: `/t/${name}.jsonl`, sessionId: name, at: new Date(now).toISOString() };
}

function takeOne(): TakenJob {
  const taken = spool.take();
  if (taken === null) throw new Error('there is no job');
  return taken;
}

/** Fails a job until it is set aside; returns the waits. */
function failUntilAside(): number[] {
  const waits: number[] = [];
  for (;;) {
    const result = spool.fail(takeOne(), 'it is broken');
    if (result === 'put aside') return waits;
    waits.push(result.retryInMs);
    expect(spool.take()).toBeNull();
    now += result.retryInMs;
  }
}

describe('the spool', () => {
  it('returns the newest job first', () => {
    for (const [age, name] of ['a', 'b', 'c'].entries()) {
      spool.add(job(name));
      const [file] = readdirSync(folder).filter((entry) => entry.startsWith(`${name}-`));
      utimesSync(join(folder, file ?? ''), 100 + age, 100 + age);
    }
    const taken = [takeOne(), takeOne(), takeOne()];
    expect(taken.map((one) => one.job.sessionId)).toEqual(['c', 'b', 'a']);
    expect(spool.take()).toBeNull();
  });

  it('keeps a job that arrives while its transcript is being indexed', () => {
    spool.add(job('a'));
    const first = takeOne();
    spool.add(job('a', 'session-end'));
    spool.finish(first);
    expect(takeOne().job.event).toBe('session-end');
  });

  it('puts a job back unchanged', () => {
    spool.add(job('a'));
    spool.giveBack(takeOne());
    expect(takeOne()).toMatchObject({ tries: 0, job: { sessionId: 'a' } });
  });

  it('waits longer after each failure, and sets a job aside after five', () => {
    spool.add(job('a'));
    expect(failUntilAside()).toEqual([2000, 6000, 18_000, 54_000]);
    expect(spool.counts()).toEqual({ waiting: 0, delayed: 0, failed: 1 });
    expect(spool.failed()).toMatchObject([{ job: { sessionId: 'a' }, reason: 'it is broken', tries: 5 }]);
  });

  it('reports when the next job is due', () => {
    spool.add(job('a'));
    expect(spool.nextRetryInMs()).toBeNull();
    spool.fail(takeOne(), 'x');
    expect(spool.nextRetryInMs()).toBe(2000);
    expect(spool.counts()).toEqual({ waiting: 1, delayed: 1, failed: 0 });
  });

  it('takes a job that failed before the clock was set back', () => {
    spool.add(job('a'));
    spool.fail(takeOne(), 'x');
    now -= 60 * 60 * 1000;
    expect(spool.counts()).toMatchObject({ waiting: 1, delayed: 0 });
    expect(takeOne().tries).toBe(1);
  });

  it('counts tries per transcript, so that another hook does not reset them', () => {
    spool.add(job('a'));
    spool.fail(takeOne(), 'x');
    spool.add(job('a'));
    expect(spool.take()).toBeNull();
    now += 2000;
    expect(takeOne().tries).toBe(1);
  });

  it('spreads retries of jobs that failed together', () => {
    const spread = openFileSpool({ folder, now: () => now });
    const waits = Array.from({ length: 20 }, (_, index) => {
      spread.add(job(`j${index}`));
      const taken = spread.take();
      const result = taken === null ? 'put aside' : spread.fail(taken, 'x');
      return result === 'put aside' ? 0 : result.retryInMs;
    });
    expect(new Set(waits).size).toBeGreaterThan(10);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2000);
  });

  it('retries a failed transcript once when it changes, and forgets the failure if that works', () => {
    spool.add(job('a'));
    failUntilAside();
    spool.add(job('a'));
    expect(spool.fail(takeOne(), 'still broken')).toBe('put aside');
    spool.add(job('a'));
    spool.finish(takeOne());
    expect(spool.failed()).toEqual([]);
  });

  it('recovers the job of a dead worker, without delay the first time', () => {
    spool.add(job('a'));
    takeOne();
    spool = open();
    expect(spool.recover()).toBe(1);
    expect(takeOne().tries).toBe(1);
  });

  it('sets a job aside after five workers died processing it', () => {
    spool.add(job('a'));
    for (let death = 0; death < 5; death += 1) {
      takeOne();
      spool.recover();
      now += 60_000;
    }
    expect(spool.take()).toBeNull();
    expect(spool.failed()).toMatchObject([{ reason: expect.stringContaining('died') }]);
  });

  it('prefers the newer of two jobs, from a dead worker and from a hook', () => {
    spool.add(job('a'));
    takeOne();
    spool.add(job('a', 'session-end'));
    spool.recover();
    expect(takeOne().job.event).toBe('session-end');
    expect(spool.take()).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['half a job', '{"event":"stop","transc'],
    ['other text', '[1]'],
    ['too much data', 'x'.repeat(100_000)],
  ])('sets aside a file that contains %s, and continues', (_, content) => {
    writeFileSync(join(folder, 'junk.json'), content);
    spool.add(job('a'));
    expect(takeOne().job.sessionId).toBe('a');
    expect(spool.take()).toBeNull();
    expect(spool.failed()).toMatchObject([{ name: 'junk', job: null }]);
  });

  it('ignores files that are not named like a job', () => {
    mkdirSync(join(folder, 'folder.json'));
    writeFileSync(join(folder, 'notes.txt'), 'x');
    expect(spool.take()).toBeNull();
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['folder.json', 'notes.txt']));
  });

  it('deletes old half-written files of killed hooks', () => {
    const leftover = join(folder, '.a.1.2.tmp');
    writeFileSync(leftover, '{');
    spool.recover();
    expect(readdirSync(folder)).toContain('.a.1.2.tmp');
    now += 2 * 3_600_000;
    spool.recover();
    expect(readdirSync(folder)).not.toContain('.a.1.2.tmp');
  });

  it('calls back when a job arrives', async () => {
    let told = 0;
    const stop = spool.onArrival(() => {
      told += 1;
    });
    expect(told).toBe(0);
    spool.add(job('a'));
    await until(() => told > 0, 'the arrival');
    stop();
  });

  it('calls back for a job that already exists', () => {
    spool.add(job('a'));
    let told = 0;
    spool.onArrival(() => {
      told += 1;
    })();
    expect(told).toBe(1);
  });
});

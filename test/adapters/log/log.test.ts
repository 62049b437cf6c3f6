import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRotatingLog } from '../../../src/adapters/log/rotating-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the log', () => {
  it('writes a line per log entry', async () => {
    const log = openRotatingLog(join(folder, 'logs'), 'worker');
    log.info('indexed', { path: '/a b\n', points: 3, session: null });
    log.error('failed');
    await log.close();
    expect(readFileSync(join(folder, 'logs/worker.log'), 'utf8')).toMatch(
      /^\S+Z info indexed path="\/a b\\n" points=3\n\S+Z error failed\n$/,
    );
  });

  it('keeps four log files of a megabyte each', async () => {
    for (let round = 0; round < 8; round += 1) {
      const log = openRotatingLog(folder, 'worker');
      for (let entry = 0; entry < 1200; entry += 1) log.info('x'.repeat(1000));
      await log.close();
    }
    expect(readdirSync(folder).sort()).toEqual([
      'worker.1.log',
      'worker.2.log',
      'worker.3.log',
      'worker.log',
    ]);
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(Math.max(...sizes)).toBeLessThan(3e6);
  });

  it('does not fail if the log cannot be written', async () => {
    const log = openRotatingLog(folder, 'no/such/folder/worker');
    rmSync(folder, { recursive: true });
    log.info('x');
    await log.close();
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createErrorLog } from '../../../src/adapters/log/error-log.ts';
import { openRotatingLog } from '../../../src/adapters/log/rotating-log.ts';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the error log', () => {
  const open = () => {
    const path = join(folder, 'logs/errors.log');
    return { path, log: createErrorLog(path, createRedactor({ patterns: [] })) };
  };

  it('keeps what failed, without secrets', async () => {
    const { path, log } = open();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await log.note(
      'search past sessions',
      new SmartForkError('STORE_UNAVAILABLE', `no answer with ${token}`),
    );
    await log.note('search past sessions', new SmartForkError('USAGE', '--since needs a value'));
    await log.note('list sessions', 'broken');
    expect(readFileSync(path, 'utf8')).not.toContain(token);
    const at = expect.stringMatching(/Z$/);
    expect(log.read()).toEqual([
      {
        at,
        doing: 'search past sessions',
        code: 'STORE_UNAVAILABLE',
        message: expect.stringMatching(/^no answer with \[REDACTED:/),
      },
      { at, doing: 'list sessions', code: 'INTERNAL', message: 'broken' },
    ]);
  });

  it('is bounded, and reads nothing from a damaged line', async () => {
    const { path, log } = open();
    for (let round = 0; round < 2500; round += 1) await log.note('index sessions', 'x'.repeat(2000));
    expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['errors.1.log', 'errors.log']);
    expect(statSync(path).size).toBeLessThan(502_000);
    writeFileSync(path, '{"at": 1}\nnull\n{"at":"2026-01-01T00:0');
    expect(log.read().every(({ message }) => message.length === 1000)).toBe(true);
  });
});

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

import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';
import { fakeTerminal } from '../../support/fake-streams.ts';

const UTF8 = { LANG: 'en_US.UTF-8', TERM: 'xterm-256color' };

describe('colour on a terminal', () => {
  it.each([
    ['a terminal', true, UTF8, 2],
    ['a terminal of 16 million colours', true, { ...UTF8, COLORTERM: 'truecolor' }, 3],
    ['a pipe', false, UTF8, 0],
    ['NO_COLOR', true, { ...UTF8, NO_COLOR: '1' }, 0],
    ['an empty NO_COLOR', true, { ...UTF8, NO_COLOR: '' }, 2],
    ['a dumb terminal', true, { TERM: 'dumb' }, 0],
    ['FORCE_COLOR in a pipe', false, { ...UTF8, FORCE_COLOR: '1' }, 1],
    ['FORCE_COLOR and NO_COLOR', true, { ...UTF8, FORCE_COLOR: '3', NO_COLOR: '1' }, 3],
    ['FORCE_COLOR=0', true, { ...UTF8, FORCE_COLOR: '0' }, 0],
  ])('chooses the colour level with %s', (_name, isTTY, env, level) => {
    expect(fakeTerminal({ isTTY, env }).color).toBe(level);
  });
});

describe('Unicode on a terminal', () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, boolean]>([
    ['a UTF-8 locale', 'linux', { LANG: 'en_US.UTF-8' }, true],
    ['C.utf8', 'linux', { LANG: 'C.utf8' }, true],
    ['no locale', 'linux', {}, true],
    ['the C locale', 'linux', { LANG: 'C' }, false],
    ['a Latin locale', 'darwin', { LANG: 'de_DE.ISO8859-1' }, false],
    ['LC_ALL before LANG', 'linux', { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, false],
    ['LC_CTYPE before LANG', 'linux', { LC_CTYPE: 'C.UTF-8', LANG: 'C' }, true],
    ['an empty LC_ALL', 'linux', { LC_ALL: '', LANG: 'en_US.UTF-8' }, true],
    ['a dumb terminal', 'linux', { TERM: 'dumb', LANG: 'en_US.UTF-8' }, false],
    ['the Linux console', 'linux', { TERM: 'linux', LANG: 'en_US.UTF-8' }, false],
    ['the old Windows console', 'win32', {}, false],
    ['Windows Terminal', 'win32', { WT_SESSION: 'x' }, true],
    ['VS Code on Windows', 'win32', { TERM_PROGRAM: 'vscode' }, true],
    ['Git Bash', 'win32', { TERM: 'xterm-256color' }, true],
  ])('chooses Unicode or ASCII with %s on %s', (_name, platform, env, unicode) => {
    expect(fakeTerminal({ platform, env }).unicode).toBe(unicode);
  });
});

describe('the width of a terminal', () => {
  it('follows the width of the window', () => {
    const terminal = fakeTerminal({ columns: 100 });
    terminal.stdoutStream.columns = 60;
    expect(terminal.columns).toBe(60);
  });

  it('uses COLUMNS, or 80 columns, if the stream has no width', () => {
    expect(fakeTerminal({ columns: 0, env: { COLUMNS: '132' } }).columns).toBe(132);
    expect(fakeTerminal({ columns: 0, env: {} }).columns).toBe(80);
  });
});

describe('writing to a terminal', () => {
  it('ends each printed line exactly once', () => {
    const terminal = fakeTerminal();
    terminal.out('a');
    terminal.out('b\n');
    terminal.err('c');
    expect(terminal.stdoutStream.text).toBe('a\nb\n');
    expect(terminal.stderrStream.text).toBe('c\n');
  });

  it.each(['EPIPE', 'EIO'])('stops writing when the reader closes the pipe (%s)', async (code) => {
    const terminal = fakeTerminal();
    terminal.stdoutStream.destroy(Object.assign(new Error(`write ${code}`), { code }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(terminal.closed).toBe(true);
    expect(() => terminal.out('more')).not.toThrow();
  });

  it('prints colours, and every other control sequence as a JSON escape', () => {
    const terminal = fakeTerminal({ isTTY: true, env: UTF8 });
    const text = JSON.stringify({ path: '/a\x9d52;c;UFdO\x07\u202e', title: '😀 ü' });
    terminal.out(text);
    terminal.err('\x1b[31mred\x1b[0m\x1b]52;c;UFdO\x07');
    expect(JSON.parse(terminal.stdoutStream.text)).toEqual(JSON.parse(text));
    expect(terminal.stdoutStream.text).not.toMatch(/[\x7f-\x9f\u202e]/);
    expect(terminal.stderrStream.text).toBe('\x1b[31mred\x1b[0m\\u001b]52;c;UFdO\\u0007\n');
  });

  it('reports a failed write once, even if the report fails too', () => {
    const stderr = new EventEmitter() as EventEmitter & { write(): boolean };
    stderr.write = () => stderr.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    let told = 0;
    const onWriteError = () => {
      told += 1;
      if (told < 10) stderr.write();
    };
    const stdout = new EventEmitter() as typeof stderr;
    stdout.write = () => true;
    createTerminal({ stdout, stderr, env: {}, platform: 'linux', onWriteError } as never);
    stderr.write();
    expect(told).toBe(1);
  });

  it('exits without a stack trace when piped into `head`', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'smart-fork-'));
    try {
      const script = await bundled(
        folder,
        `import { createTerminal } from './src/cli/terminal/terminal.ts';
         const terminal = createTerminal({ stdout: process.stdout, stderr: process.stderr, env: {}, platform: 'linux' });
         const timer = setInterval(() => terminal.closed ? clearInterval(timer) : terminal.out('line '.repeat(20000)), 1);`,
      );
      const { code, stderr } = await readFirstBytes(script);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

async function bundled(folder: string, contents: string): Promise<string> {
  const outfile = join(folder, 'script.mjs');
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  return outfile;
}

/** Runs a script, closes its stdout after the first bytes, and waits for its end. */
function readFirstBytes(script: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stdout.once('data', () => child.stdout.destroy());
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}

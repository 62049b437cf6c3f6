import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, joinCommands, programCall } from '../../../src/domain/machine/shell.ts';
import { sanitize } from '../../../src/domain/text/sanitize.ts';

const WORDS = [
  "it's",
  'a "b" c',
  '$HOME `id` $(id)',
  '100%',
  'a\\b\\',
  'ü 日本 😀',
  '',
  '~/x',
  '-x',
  'a&b|c;d>e',
  '!!',
  '*',
  '%self',
  '=ls',
  "a\\'; touch PWN; echo \\'",
  "\\\\'\\'",
  'a\x1b]52;c;UFdO\x07b',
  'line\nbreak\ttab',
  'left\u202eright \u3164 a\u200bb',
  '-\x1b100%n\\x',
];
const SHELLS_HERE = ['sh', 'bash', 'zsh', 'fish'].filter(
  (shell) => spawnSync(shell, ['-c', 'true'], { stdio: 'ignore' }).status === 0,
);

describe('quoting for a shell', () => {
  it.skipIf(process.platform === 'win32').each(SHELLS_HERE)(
    'quotes a command line so that %s reads the same words and runs nothing',
    (shell) => {
      const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-shell-')));
      const line = commandLine(['printf', '%s\\n', ...WORDS], null, 'posix');
      expect(execFileSync(shell, ['-c', line], { cwd, encoding: 'utf8' })).toBe(`${WORDS.join('\n')}\n`);
      expect(readdirSync(cwd)).toEqual([]);
      rmSync(cwd, { recursive: true });
    },
  );

  it.each(['posix', 'powershell', 'cmd'] as const)(
    'writes one visible line for %s, whatever a word contains',
    (shell) => {
      const line = commandLine(['run', ...WORDS], '/tmp/\x1b]52;c;UFdO\x07\n', shell);
      expect(sanitize(line)).toBe(line);
      expect(line).not.toMatch(/[\t\n]/);
    },
  );

  it.skipIf(process.platform === 'win32')('changes to a folder with any name', () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-shell-')));
    const folder = join(root, 'it\'s $HOME & "more"\n');
    mkdirSync(folder);
    const line = commandLine(['pwd', '-P'], folder, 'posix');
    expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(`${folder}\n`);
    rmSync(root, { recursive: true });
  });

  it('quotes only words that need it', () => {
    const words = ['claude', '--resume', '8402b1ed-99dc-417d-86a9-36a1478036dc', '--fork-session'];
    for (const shell of ['posix', 'powershell', 'cmd'] as const)
      expect(commandLine(words, null, shell)).toBe(words.join(' '));
  });

  it('doubles quotes for PowerShell, and joins commands without && for old versions', () => {
    expect(commandLine(['claude', "it's $x"], 'C:\\My code', 'powershell')).toBe(
      "cd 'C:\\My code'; claude 'it''s $x'",
    );
    expect(commandLine(['a’b'], null, 'powershell')).toBe("'a’’b'");
    expect(commandLine(['a\x1b'], null, 'powershell')).toBe('(-join [char[]](97,27))');
    expect(joinCommands(['a', 'b'], 'powershell')).toBe('a; b');
  });

  it('quotes for cmd, changes the drive, and prevents variables from being expanded', () => {
    expect(commandLine(['claude', 'a b'], 'D:\\My code', 'cmd')).toBe('cd /d "D:\\My code" && claude "a b"');
    expect(commandLine(['C:\\a b\\'], null, 'cmd')).toBe('"C:\\a b\\\\"');
    expect(commandLine(['100%PATH% & x'], null, 'cmd')).toBe('^"100^%PATH^% ^& x^"');
    expect(commandLine(['say "hi"'], null, 'cmd')).toBe('^"say \\^"hi\\^"^"');
  });
});

describe('programCall', () => {
  it('starts a program without a shell', () => {
    const words = ['-p', 'a "b" & c'];
    for (const path of ['/usr/bin/claude', 'C:\\x\\claude.exe'])
      expect(programCall(path, words)).toEqual({ program: path, words, shell: false });
  });

  it('starts a script of Windows with cmd, which parses the words twice', () => {
    const call = programCall('C:\\My code\\claude.cmd', ['-p', 'a & b', 'say "hi" & x', '100%']);
    expect(call).toEqual({
      program: '"C:\\My code\\claude.cmd" -p "a & b" ^^^"say \\^^^"hi\\^^^" ^^^& x^^^" ^^^"100^^^%^^^"',
      words: [],
      shell: true,
    });
  });
});

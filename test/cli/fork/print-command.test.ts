import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sessionId, writeSession } from '../../app/fork/claude-session.ts';
import { type CliMachine, useCliMachines } from '../../support/machines/cli-machine.ts';

const createCliMachine = useCliMachines();
const HOSTILE = 'upload $(touch PWN) `touch PWN`\n; touch PWN #\n$(touch PWN)';
const FOLDER = "it\\'; touch PWN; echo \\' $(touch PWN) \x1b]52;c;UFdO\x07\u202e";
const ONE_COMMAND = /^(?:cd [ -~]+ && )?(?:claude|smart-fork) [ -~]+\n$/;
const SHELLS = ['sh', 'bash', 'zsh', 'fish'].filter(
  (shell) => spawnSync(shell, ['-c', 'true'], { stdio: 'ignore' }).status === 0,
);

let machine: CliMachine;
let cwd: string;

beforeAll(async () => {
  machine = createCliMachine({ transcripts: false });
  cwd = join(machine.folder, 'elsewhere');
  mkdirSync(cwd);
  const project = join(machine.folder, FOLDER);
  mkdirSync(project);
  writeAgent(join(machine.folder, 'bin'));
  const home = join(machine.folder, 'claude');
  for (const number of [1, 2])
    writeSession({ home, id: sessionId(number), cwd: project, asks: [HOSTILE, HOSTILE] });
  writeSession({ home, id: 'gone', cwd: '/gone/$(touch PWN)', asks: [HOSTILE] });
  await machine.run(['index', '--no-embed']);
});

function writeAgent(folder: string): void {
  mkdirSync(folder);
  for (const name of ['claude', 'smart-fork']) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho STARTED\n');
    chmodSync(join(folder, name), 0o755);
  }
}

describe.skipIf(process.platform === 'win32')('fork without a terminal', () => {
  it.each([
    ['the words of a query', ['upload', 'touch']],
    ['words that find nothing', ['zyzzyva']],
    ['a mistyped id', [sessionId(1).replace('aaaa', 'aaag')]],
    ['an id of no session', [sessionId(7)]],
    ['an id that is too short', ['00']],
    ['an id that begins several', ['000000']],
  ])('prints nothing executable for %s', async (_name, words) => {
    for (const option of ['--print', '--exec', '--copy', '--tmux', '--terminal', '--check']) {
      const { code, stdout, stderr } = await machine.run(['fork', ...words, option], { cwd });
      expect({ option, code, stdout }).toEqual({ option, code: 1, stdout: '' });
      expect(stderr).toMatch(/^error: /);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['forked', [sessionId(1)]],
    ['forked at a turn', [sessionId(1), '--at', '1']],
    ['injected', [sessionId(1), '--inject']],
    ['of a folder that is gone', ['gone']],
  ])('prints a single command, whatever the transcript says, for a session %s', async (_name, words) => {
    const { code, stdout } = await machine.run(['fork', ...words, '--print'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(ONE_COMMAND);
    for (const shell of SHELLS) {
      const env = { ...machine.env, PATH: `${join(machine.folder, 'bin')}:${process.env.PATH}` };
      expect(execFileSync(shell, ['-c', stdout], { cwd, env, encoding: 'utf8' })).toContain('STARTED');
    }
    expect(readdirSync(cwd)).toEqual([]);
    expect(readdirSync(join(machine.folder, FOLDER))).toEqual([]);
  });

  it('prints only the command even if it has to index first', async () => {
    const fresh = createCliMachine();
    const { stdout } = await fresh.run(['fork', '6ddaaadd', '--print'], { cwd });
    expect(stdout).toMatch(ONE_COMMAND);
  });
});

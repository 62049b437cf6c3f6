import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sessionId, writeSession } from '../../app/fork/claude-session.ts';
import { type CliMachine, PROGRAM, useCliMachines } from '../../support/machines/cli-machine.ts';

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

  it('checks a fork up to the turn that matches as one up to its number', async () => {
    const checks = async (at: string) => {
      const words = ['fork', sessionId(1), '--at', at, '--query', 'upload', '--print'];
      return (await machine.run(words, { cwd })).stderr.replace(/Ready in .*/, '');
    };
    const matched = await checks('match');
    const turn = /Turn +(\d) of 2/.exec(matched)?.[1] ?? '';
    expect(turn).not.toBe('');
    expect(matched).toBe(await checks(turn));
  });

  it('prints only the command even if it has to index first', async () => {
    const fresh = createCliMachine();
    const { stdout } = await fresh.run(['fork', '6ddaaadd', '--print'], { cwd });
    expect(stdout).toMatch(ONE_COMMAND);
  });
});

describe.skipIf(process.platform === 'win32')('a printed fork', () => {
  it.each([
    ['the whole session', []],
    ['a session up to a turn', ['--at', '1']],
    ['a session’s context', ['--inject']],
    ['a session’s context for a query', ['--inject', '--query=--upload `it`\n"twice"']],
    ['a session up to the turn that matches a query', ['--at', 'match', '--query', 'upload']],
    ['a session in an agent that cannot import it', ['--into', 'codex', '--query', 'upload']],
    ['a named session', ['--at', '2', '--name', 'it\'s "here"']],
  ])('starts the agent as the fork itself does: %s', async (_name, words) => {
    const id = sessionId(1);
    const bin = join(machine.folder, 'recording');
    const env = {
      ...machine.env,
      PATH: `${bin}:${process.env.PATH}`,
      RECORD: join(machine.folder, 'record'),
    };
    writeRecorders(bin);
    const recorded = () => {
      const record = readFileSync(env.RECORD, 'utf8');
      rmSync(env.RECORD);
      return record.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}(?:-\w+\.md)?/g, (found) =>
        found === id ? id : 'NEW',
      );
    };
    const { stdout } = await machine.run(['fork', id, ...words, '--print'], { cwd, env });
    expect(readdirSync(machine.home)).not.toContain('context');
    execFileSync('sh', ['-c', stdout], { cwd, env, stdio: 'pipe' });
    const printed = recorded();
    const { code } = await machine.run(['fork', id, ...words, '--exec'], { cwd, env });
    expect(code).toBe(0);
    // Only a fork that is started here can be given its id beforehand.
    expect(recorded().replace(' --session-id NEW', '')).toBe(printed.replace(' --session-id NEW', ''));
    rmSync(join(machine.home, 'context'), { recursive: true, force: true });
  });
});

/** Agents that record how they were started, and the smart-fork that is tested. */
function writeRecorders(bin: string): void {
  mkdirSync(bin, { recursive: true });
  const agent = `#!/bin/sh
[ "$1" = --version ] && echo 9.9.9 && exit
printf '%s ' "$0" "$@" > "$RECORD"; pwd >> "$RECORD"
`;
  for (const name of ['claude', 'codex']) writeFileSync(join(bin, name), agent, { mode: 0o755 });
  const program = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(bin, 'smart-fork'), program, { mode: 0o755 });
}

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionId, writeSession } from '../../app/fork/claude-session.ts';
import { cliEnvironment, runCli } from '../../support/machines/cli.ts';
import { PROGRAM } from '../../support/machines/run-program.ts';
import { sharedWorld } from '../../support/machines/shared-world.ts';
import { hasTmux, openTerminal } from '../../support/terminal/tmux.ts';

const world = sharedWorld(async (world) => {
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'smart-fork'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, 'smart-fork'), 0o755);
  for (const n of [1, 2])
    writeSession({
      home: world.claudeHome,
      id: sessionId(n),
      cwd: '/home/dev/blue whale',
      asks: [`upload number ${n}`],
    });
  await runCli(world, ['index', '--no-embed']);
});

const complete = async (...words: string[]) =>
  (await runCli(world(), ['complete', '--', ...words])).stdout.trimEnd().split('\n');
const values = async (...words: string[]) => (await complete(...words)).map((line) => line.split('\t')[0]);
const environment = () => {
  const env = cliEnvironment(world());
  return { ...env, PATH: `${join(world().folder, 'bin')}:${env.PATH}`, HOME: world().folder };
};

describe('smart-fork complete', () => {
  it('completes commands, with descriptions', async () => {
    expect(await complete('sess')).toEqual(['sessions\tlist recent sessions']);
    expect((await values('')).length).toBeGreaterThan(20);
  });

  it('completes the options of a command', async () => {
    expect(await values('search', '--lim')).toEqual(['--limit']);
    expect(await values('search', 'two', 'words', '--exp')).toEqual(['--explain']);
    expect(await values('show', '--limit')).toEqual(['']);
  });

  it('completes session ids, with titles', async () => {
    expect(await complete('show', '00000002')).toEqual([
      expect.stringMatching(/^00000002\t.*blue whale: upload number 2$/),
    ]);
    expect(await values('fork', '0000000')).toEqual(['00000002', '00000001']);
    expect(await values('fork', 'a', '0000000')).toEqual(['']);
    expect(await values('tag', '00000001', '')).toEqual(['']);
  });

  it('completes the values of options, also after an equals sign', async () => {
    expect(await values('search', 'x', '--repo', 'blue')).toEqual(['blue whale']);
    expect(await values('search', 'x', '--repo=bl')).toEqual(['blue whale']);
    expect(await values('search', 'x', '--repo', '=', 'bl')).toEqual(['blue whale']);
    expect(await values('search', '--mode', '')).toEqual(['hybrid', 'keyword', 'dense']);
    expect(await values('fork', '--into', 'co')).toEqual(['codex', 'copilot']);
  });

  it('completes actions and settings', async () => {
    expect(await values('config', 'se')).toEqual(['set']);
    expect(await complete('config', 'set', 'search.max')).toEqual([
      'search.max_results\tnumber of search results',
    ]);
    expect(await values('completion', 'f')).toEqual(['fish']);
  });

  it('prints no completions, and creates nothing, without an index', async () => {
    const env = { SMART_FORK_HOME: join(world().folder, 'new') };
    const { status, stdout, stderr } = await runCli(world(), ['complete', '--', 'show', ''], { env });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

const has = (shell: string) => process.platform !== 'win32' && spawnSync(shell, ['--version']).status === 0;
for (const shell of ['bash', 'zsh', 'fish'])
  if (!has(shell)) console.warn(`skipped: ${shell} is not here, so nothing is completed in it`);

describe('the completion script', { timeout: 60_000 }, () => {
  it.skipIf(!has('bash'))('completes in bash, quotes values, and runs nothing that is typed', () => {
    const script = `source <(smart-fork completion bash)
      ask() { COMP_WORDS=(smart-fork "$@"); COMP_CWORD=$#; _smart_fork; printf '%s|' "\${COMPREPLY[@]}"; echo; }
      ask show 0000; ask search --repo = bl; ask search '$(touch ran)' --mo`;
    const { stdout } = spawnSync('bash', ['--norc', '-c', script], {
      env: environment(),
      cwd: world().folder,
      encoding: 'utf8',
    });
    expect(stdout.split('\n')).toEqual(['00000002|00000001|', 'blue\\ whale|', '--mode|', '']);
    expect(spawnSync('ls', ['ran'], { cwd: world().folder }).status).not.toBe(0);
  });

  it.skipIf(!has('fish'))('completes in fish', () => {
    const script = `smart-fork completion fish | source
      complete -C 'smart-fork show 00000002'; complete -C 'smart-fork search --repo=bl'; complete -C 'smart-fork sess'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], {
      env: environment(),
      encoding: 'utf8',
    });
    expect(stdout).toMatch(
      /^00000002\t.*upload number 2\n--repo=blue whale\nsessions\tlist recent sessions\n$/,
    );
  });

  it.skipIf(!has('zsh') || !hasTmux)('completes in zsh', async () => {
    const env = environment() as Record<string, string>;
    const terminal = openTerminal({ name: `smart-fork-zsh-${process.pid}`, columns: 100, rows: 20, env });
    try {
      await terminal.type('exec zsh -f\n');
      await terminal.type(
        'autoload -U compinit; compinit -u -D; source <(smart-fork completion zsh); clear; echo re""ady\n',
      );
      await terminal.waitFor('ready');
      await terminal.type('smart-fork show 0000\t\t');
      await terminal.waitFor(/00000001 +-- .*upload number 1/);
    } finally {
      terminal.close();
    }
  });

  it('prints the completion script only for a known shell', async () => {
    for (const [shell, sign] of [
      ['bash', 'complete -o default'],
      ['zsh', '#compdef smart-fork'],
      ['fish', 'complete -c smart-fork'],
      ['powershell', 'Register-ArgumentCompleter'],
    ] as const)
      expect((await runCli(world(), ['completion', shell])).stdout).toContain(sign);
    expect((await runCli(world(), ['completion', 'tcsh'])).stderr).toBe(
      'error: "tcsh" is not one of bash, zsh, fish, powershell\nhint: See smart-fork completion --help.\n',
    );
    expect((await runCli(world(), ['completion'], { env: { SHELL: '/usr/bin/fish' } })).stdout).toContain(
      'for fish',
    );
  });
});

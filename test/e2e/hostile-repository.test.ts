import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionId, writeSession } from '../app/fork/claude-session.ts';
import { type CliMachine, useCliMachines } from '../support/machines/cli-machine.ts';
import { connect } from '../support/machines/mcp-world.ts';

const createCliMachine = useCliMachines();
const PROGRAMS = [
  'git',
  'claude',
  'codex',
  'tmux',
  'less',
  'ssh',
  'sh',
  'xclip',
  'kitty',
  'smart-fork',
  'node',
];

let machine: CliMachine;
let project: string;
let trap: string;

/** A session that worked in a repository that has changed since. */
beforeEach(async () => {
  machine = createCliMachine({ transcripts: false });
  project = join(machine.folder, 'project');
  mkdirSync(project);
  mkdirSync(join(machine.folder, 'bin'));
  trap = writeScript(join(machine.folder, 'trap'), `touch ${marker()}; cat`);
  writeScript(join(machine.folder, 'bin', 'claude'), 'echo "2.1.329 (Claude Code)"');
  git('init', '-q', '-b', 'main');
  writeFileSync(join(project, 'a.ts'), 'one\n');
  commit('Begin');
  writeSessionIn(project, sessionId(1));
  await machine.run(['index', '--no-embed']);
});

describe.skipIf(process.platform === 'win32')('a hostile repository', { timeout: 60_000 }, () => {
  it('runs no filter, monitor, hook, pager or helper configured in a hostile repository', async () => {
    writeFileSync(join(project, '.gitattributes'), '* filter=trap diff=trap merge=trap\n');
    for (const key of [
      ...['filter.trap.clean', 'filter.trap.smudge', 'filter.trap.process', 'diff.trap.textconv'],
      ...['diff.trap.command', 'diff.external', 'core.fsmonitor', 'core.pager', 'core.editor'],
      ...['core.sshCommand', 'core.askPass', 'core.gitProxy', 'credential.helper', 'gpg.program'],
      ...['alias.rev-parse', 'alias.ls-tree', 'core.alternateRefsCommand', 'merge.trap.driver'],
    ])
      git('config', key, key.startsWith('alias') ? `!${trap}` : trap);
    git('config', 'core.hooksPath', join(machine.folder, 'hooks'));
    mkdirSync(join(machine.folder, 'hooks'));
    for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'post-checkout'])
      writeScript(join(machine.folder, 'hooks', hook), `touch ${marker()}`);
    writeFileSync(join(project, 'a.ts'), 'two\n');
    await expectNothingRun();
  });

  it.each([
    ['ssh', () => 'ssh://host/x'],
    ['a helper', () => `ext::${trap}`],
    ['a path', () => join(machine.folder, 'other')],
  ])('fetches no missing object from a remote over %s', async (_name, url) => {
    git('config', 'core.repositoryFormatVersion', '1');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.url', url());
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.uploadpack', trap);
    git('config', 'core.sshCommand', trap);
    git('config', 'protocol.ext.allow', 'always');
    mkdirSync(join(project, 'lib'));
    writeFileSync(join(project, 'lib', 'b.ts'), 'b\n');
    commit('More');
    const tree = git('rev-parse', 'HEAD^{tree}');
    rmSync(join(project, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    writeFileSync(join(project, 'a.ts'), 'two\n');
    await expectNothingRun();
  });

  it('does not mistake a folder that looks like a bare repository for one', async () => {
    git('clone', '-q', '--bare', '.', 'bare');
    const bare = join(project, 'bare');
    const settings = {
      'core.bare': 'false',
      'core.worktree': bare,
      'core.fsmonitor': trap,
      'filter.x.clean': trap,
    };
    for (const [key, value] of Object.entries(settings))
      execFileSync('git', ['config', '-f', join(bare, 'config'), key, value]);
    writeFileSync(join(bare, '.gitattributes'), '* filter=x\n');
    writeFileSync(join(bare, 'a.ts'), 'two\n');
    writeSessionIn(bare, sessionId(2));
    await expectNothingRun(bare, {}, sessionId(2));
  });

  it('runs nothing configured in another folder that a hostile .git file names', async () => {
    const elsewhere = join(machine.folder, 'elsewhere.git');
    execFileSync('mv', [join(project, '.git'), elsewhere]);
    writeFileSync(join(project, '.git'), `gitdir: ${elsewhere}\n`);
    git('config', 'filter.trap.clean', trap);
    git('config', 'core.fsmonitor', trap);
    writeFileSync(join(project, '.gitattributes'), '* filter=trap\n');
    writeFileSync(join(project, 'a.ts'), 'two\n');
    await expectNothingRun();
  });

  it('never runs a program from a hostile repository in place of an installed one', async () => {
    const packages = join(project, 'node_modules', '.bin');
    mkdirSync(packages, { recursive: true });
    for (const name of PROGRAMS)
      for (const folder of [project, packages]) writeScript(join(folder, name), `touch ${marker()}`);
    const path = `:.:node_modules/.bin:${packages}:${machine.env.PATH}`;
    await expectNothingRun(project, { PATH: path, npm_execpath: '/usr/lib/npm-cli.js', TMUX: '/tmp/x,1,0' });
  });

  it('reads no settings from a hostile repository', async () => {
    const hooks = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: trap }] }] } };
    mkdirSync(join(project, '.claude'));
    writeFileSync(join(project, '.claude', 'settings.json'), JSON.stringify(hooks));
    writeFileSync(join(project, '.envrc'), `touch ${marker()}\n`);
    writeFileSync(
      join(project, '.env'),
      `SMART_FORK_PAGER=${trap}\nSMART_FORK_HOME=/nowhere\nPAGER=${trap}\n`,
    );
    writeFileSync(join(project, '.npmrc'), `script-shell=${trap}\nnode-options=--require=${trap}\n`);
    writeFileSync(join(project, 'bunfig.toml'), `preload = ["${trap}"]\n`);
    await expectNothingRun();
  });
});

function marker(): string {
  return join(machine.folder, 'MARK');
}

/** Everything that inspects the current repository, or a session's. */
async function expectNothingRun(
  cwd = project,
  more: Record<string, string> = {},
  id = sessionId(1),
): Promise<void> {
  const path = more.PATH ?? machine.env.PATH ?? '';
  const env = { ...more, PATH: `${path}:${join(machine.folder, 'bin')}` };
  const commands = [
    ...[
      ['index', '--no-embed'],
      ['search', 'widget'],
      ['show', id],
      ['fork', id, '--check'],
    ],
    ...[['fork', id, '--at', '1', '--print'], ['fork', id, '--copy'], ['fork', id, '--exec'], ['doctor']],
  ];
  for (const words of commands) {
    const { stderr } = await machine.run(words, { cwd, env });
    expect(existsSync(marker()), `${words.join(' ')}\n${stderr}`).toBe(false);
  }
  const check = await machine.run(['fork', id, '--check', '--json'], { cwd, env });
  expect(JSON.parse(check.stdout).facts.program.version).toBe('2.1.329');
  const server = await connect({ ...machine.env, ...env }, cwd, {});
  await server.call('fork_detect', { intent: 'widget', auto_fork: true, project_path: cwd });
  await server.close();
  expect(existsSync(marker())).toBe(false);
  expect(readdirSync(machine.folder)).not.toContain('MARK');
}

function writeSessionIn(cwd: string, id: string): void {
  const call = { name: 'Edit', input: { file_path: join(cwd, 'a.ts') }, result: 'ok' };
  writeSession({ home: join(machine.folder, 'claude'), id, cwd, asks: ['repair the widget'], call });
}

function git(...words: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  return execFileSync('git', [...who, ...words], { cwd: project, encoding: 'utf8' }).trim();
}

function commit(subject: string): void {
  git('add', '-A');
  const date = '2026-03-01T09:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const words = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', subject];
  execFileSync('git', words, { cwd: project, env });
}

function writeScript(path: string, body: string): string {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

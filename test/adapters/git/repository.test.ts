import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRepositoryProbe } from '../../../src/adapters/git/probe-repository.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { createWorld, indexWorld, openWorld, storedSession } from '../../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const URL = 'git@github.com:Acme/Widgets.git';

describe('the repository of a folder', () => {
  it('finds the same root and remote from any folder of a repository', () => {
    const root = repository();
    const inner = join(root, 'packages', 'core');
    mkdirSync(inner, { recursive: true });
    for (const folder of [root, inner, `${root}/`])
      expect(createRepositoryProbe()(folder)).toEqual({ root, remoteUrl: URL });
  });

  it('prefers the remote origin, then the first remote', () => {
    const root = repository('upstream');
    expect(createRepositoryProbe()(root)?.remoteUrl).toBe(URL);
    git(root, 'remote', 'add', 'origin', 'https://example.com/other/one.git');
    expect(createRepositoryProbe()(root)?.remoteUrl).toBe('https://example.com/other/one.git');
  });

  it('accepts a repository that has no remote', () => {
    const root = tempFolder('git');
    git(root, 'init', '-q');
    expect(createRepositoryProbe()(root)).toEqual({ root, remoteUrl: null });
  });

  it('finds the repository of a worktree', () => {
    const root = repository();
    git(
      root,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'x',
    );
    const tree = join(tempFolder('git'), 'tree');
    git(root, 'worktree', 'add', '-q', tree);
    expect(createRepositoryProbe()(tree)).toEqual({ root, remoteUrl: URL });
    rmSync(tree, { recursive: true });
  });

  it.each([
    ['.worktrees/1', null],
    ['.claude/worktrees/heuristic-robinson-e44709/packages/core', null],
    ['../widgets-worktrees/2', null],
    ['../widgets__worktrees/fix', null],
    ['../widgets.worktrees/fix', null],
    ['../widgets-fix-login', 'fix/login'],
    ['../widgets-login', 'fix/login'],
  ])('finds the repository of a removed worktree: %s', (path, branch) => {
    const root = repository();
    const named = join(tempFolder('git'), 'widgets');
    renameSync(root, named);
    expect(createRepositoryProbe()(join(named, path), branch)).toEqual({ root: named, remoteUrl: URL });
  });

  it.each([
    ['/gone/shop/.worktrees/1', '/gone/shop'],
    ['/gone/shop/.claude/worktrees/heuristic-robinson-e44709', '/gone/shop'],
    ['/gone/shop-worktrees/2/src', '/gone/shop'],
    ['/gone/.claude-worktrees/shop/heuristic-robinson-e44709', '/gone/.claude-worktrees/shop'],
    ['/gone/worktrees/shop/3', '/gone/worktrees/shop'],
    ['/Users/gone/.worktrees/fix-login/src', '/Users/gone/.worktrees/fix-login'],
    ['/home/gone/shop/.worktrees/fix-login', '/home/gone/shop'],
    ['C:\\gone\\shop\\.worktrees\\1', 'C:\\gone\\shop'],
  ])('derives the repository of a worktree if both are gone: %s', (path, root) =>
    expect(createRepositoryProbe()(path)).toEqual({ root, remoteUrl: null }),
  );

  it.each(['/gone/shop', '/gone/worktrees/shop', '/gone/.codex/worktrees/ab12/shop', '/gone/shop-fix-login'])(
    'mistakes no other missing folder for a worktree: %s',
    (path) => expect(createRepositoryProbe()(path, 'fix/login')).toBeNull(),
  );

  it('finds the repository of a submodule through its .git file', () => {
    const root = repository();
    const modules = join(root, '.git', 'modules', 'sub');
    const sub = join(root, 'sub');
    mkdirSync(modules, { recursive: true });
    mkdirSync(sub);
    writeFileSync(join(modules, 'config'), '[remote "origin"]\n\turl = https://example.com/acme/sub.git\n');
    writeFileSync(join(sub, '.git'), 'gitdir: ../.git/modules/sub\n');
    expect(createRepositoryProbe()(sub)).toEqual({
      root: sub,
      remoteUrl: 'https://example.com/acme/sub.git',
    });
  });

  it('reads every configuration syntax that git accepts', () => {
    const root = tempFolder('git');
    mkdirSync(join(root, '.git'));
    const url = (config: string) => {
      writeFileSync(join(root, '.git', 'config'), config);
      return createRepositoryProbe()(root)?.remoteUrl;
    };
    expect(url(`[remote "origin"]\r\n\turl = ${URL}\r\n`)).toBe(URL);
    expect(url(`[remote "origin"]\n\tpushurl = nope\n\tURL=${URL}\n`)).toBe(URL);
    expect(url(`[remote "origin"]\n\turl = "${URL}" ; a note\n`)).toBe(URL);
    expect(
      url(
        `# [remote "origin"]\n[branch "main"]\n\tremote = origin\n[remote "origin"]\n# url = nope\n\turl = ${URL}\n`,
      ),
    ).toBe(URL);
    expect(url(`[remote "origin"] ; a note\n\turl = ${URL} # a note\n`)).toBe(URL);
    expect(url(`[remote "origin"] url = ${URL}\n`)).toBe(URL);
    expect(url('[remote "a]b\\"c"]\n\turl = "C:\\\\x y" # a note\n')).toBe('C:\\x y');
    expect(url('[remote]\n\turl = nope\n[remotes "origin"]\n\turl = nope\n')).toBeNull();
    expect(url('[remote "origin"]\n\turl =\n\turl\n')).toBeNull();
    expect(url('\0\0 rubbish [remote "origin"')).toBeNull();
    expect(url('')).toBeNull();
  });

  it('returns null for a folder that is missing, relative, or in no repository', () => {
    const probe = createRepositoryProbe();
    const folder = tempFolder('git');
    for (const path of ['', '.', 'relative/path', 'C:\\Users\\dev', join(folder, 'gone'), '\0'])
      expect(probe(path)).toBeNull();
    expect(probe(folder)).toBeNull();
  });
});

describe('the repository of a session', () => {
  it('names the repository after its remote, and finds the session from another clone', async () => {
    const root = repository();
    const inner = join(root, 'packages', 'core');
    mkdirSync(inner, { recursive: true });
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines([line.user('x')], { cwd: inner }));
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session).toMatchObject({
      repo_key: 'github.com/acme/widgets',
      repo_name: 'widgets',
      repo_path: root,
      working_directory: inner,
    });
  });

  it('removes the password from a remote', async () => {
    const root = tempFolder('git');
    git(root, 'init', '-q');
    git(root, 'remote', 'add', 'origin', 'https://me:hunter2@github.com/acme/widgets.git');
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines([line.user('x')], { cwd: root }));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const stored = await storedSession(parts, SESSION_ID);
    expect(stored?.session.repo_key).toBe('github.com/acme/widgets');
    expect(JSON.stringify(stored)).not.toContain('hunter2');
  });
});

function repository(remote = 'origin'): string {
  const root = tempFolder('git');
  git(root, 'init', '-q');
  git(root, 'remote', 'add', remote, URL);
  return root;
}

function git(cwd: string, ...words: string[]): void {
  execFileSync('git', words, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

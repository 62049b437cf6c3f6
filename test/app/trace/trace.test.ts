import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TraceDependencies, traceCommit } from '../../../src/app/trace/trace-commit.ts';
import { traceLines } from '../../../src/app/trace/trace-lines.ts';
import { createGitReader } from '../../../src/compose/trace.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  bashPair,
  line,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

describe('traceCommit', () => {
  it('finds the session in which git reported a commit, by any name that git knows', async () => {
    const { deps, repository, hashes } = await withRepository();
    for (const name of [hashes.first, hashes.first.slice(0, 7), 'HEAD~2']) {
      const { commit, sessions } = await traceCommit(deps, name, repository);
      expect(commit).toMatchObject({ hash: hashes.first, subject: 'Add the valve' });
      expect(sessions).toMatchObject([{ session_id: 'first', by: 'hash', local: true }]);
    }
  });

  it('finds a rebased commit by its subject, and any other commit by its time', async () => {
    const { deps, repository, hashes } = await withRepository();
    expect((await traceCommit(deps, hashes.second, repository)).sessions).toMatchObject([
      { session_id: 'second', by: 'subject' },
    ]);
    expect((await traceCommit(deps, hashes.third, repository)).sessions).toMatchObject([
      { session_id: 'third', by: 'time' },
    ]);
  });

  it('finds a commit of which git printed no hash by its subject', async () => {
    const { deps, repository } = await withRepository();
    const { session_id, commits } = (await deps.store.getSessions(['quiet']))[0] ?? {};
    expect({ session_id, commits }).toEqual({
      session_id: 'quiet',
      commits: [{ hash: '', subject: 'Wash the valve' }],
    });
    commitFile(repository, 'washed\n', 'Wash the valve', TIMES[2]);
    expect((await traceCommit(deps, 'HEAD', repository)).sessions).toMatchObject([
      { session_id: 'quiet', by: 'subject' },
    ]);
  });

  it('finds a commit that no session made in those that name it, in full or abbreviated', async () => {
    const { deps, elsewhere } = await withRepository();
    const merge = '7acea0413e4eb9f648ff17a376385fa32ab9b99a';
    for (const name of [merge, merge.slice(0, 7), merge.slice(0, 20)])
      expect((await traceCommit(deps, name, elsewhere)).sessions).toMatchObject([
        { session_id: 'other', by: 'named' },
      ]);
    expect((await traceCommit(deps, merge.replace('e', 'f'), elsewhere)).sessions).toEqual([]);
  });

  it('needs no repository for a hash, and knows a subject recorded by a session', async () => {
    const { deps, hashes, elsewhere } = await withRepository();
    const { commit, sessions } = await traceCommit(deps, hashes.first.slice(0, 9), elsewhere);
    expect(commit).toEqual({ hash: hashes.first.slice(0, 9), subject: 'Add the valve', time: null });
    expect(sessions).toMatchObject([{ session_id: 'first' }]);
  });

  it('finds a commit by the hash that it had before it was amended', async () => {
    const { deps, elsewhere } = await withRepository();
    for (const hash of ['abcdef1', 'abcdef2']) {
      const { commit, sessions } = await traceCommit(deps, hash, elsewhere);
      expect(commit).toMatchObject({ subject: 'Sand the valve' });
      expect(sessions).toMatchObject([{ session_id: 'other', by: 'hash' }]);
      expect(sessions[0]?.replaced_by).toBe(hash === 'abcdef1' ? 'abcdef2' : undefined);
    }
  });

  it('refuses a name that is not a commit', async () => {
    const { deps, repository, elsewhere } = await withRepository();
    for (const name of ['nowhere', '--help', '1234', ''])
      await expect(traceCommit(deps, name, repository)).rejects.toThrow(/is not a commit of this repository/);
    await expect(traceCommit(deps, 'HEAD', elsewhere)).rejects.toThrow(
      /this folder is not in a git repository/,
    );
  });
});

describe('traceLines', () => {
  it('finds the session that changed a line, even below uncommitted lines', async () => {
    const { deps, repository } = await withRepository();
    const committed = await traceLines(deps, 'valve.ts:2', repository);
    expect(committed.commits).toMatchObject([
      { commit: { subject: 'Oil the valve' }, lines: [[2, 2]], sessions: [{ session_id: 'second' }] },
    ]);
    writeFileSync(join(repository, 'valve.ts'), 'new\r\nnew\r\none\r\nTWO\r\nthree\r\n');
    const { commits } = await traceLines(deps, 'valve.ts:1-4', repository);
    expect(commits.map(({ commit, lines }) => [commit?.subject, lines])).toEqual([
      [undefined, [[1, 2]]],
      ['Add the valve', [[3, 3]]],
      ['Oil the valve', [[4, 4]]],
    ]);
    expect(commits[0]?.sessions[0]).toMatchObject({ session_id: 'third', by: 'time' });
  });

  it('finds no line in an empty file, and only the target’s name in a link', async () => {
    const { deps, repository } = await withRepository();
    writeFileSync(join(repository, 'empty.txt'), '');
    symlinkSync('/etc/passwd', join(repository, 'link'));
    git(repository, 'add', 'empty.txt', 'link');
    git(repository, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Add two');
    expect((await traceLines(deps, 'empty.txt', repository)).commits).toEqual([]);
    expect((await traceLines(deps, 'link', repository)).commits).toMatchObject([
      { commit: { subject: 'Add two' }, lines: [[1, 1]] },
    ]);
  });

  it('runs no program configured in the repository', async () => {
    const { deps, repository, elsewhere } = await withRepository();
    writeFileSync(join(repository, '.gitattributes'), '*.ts diff=evil filter=evil\n');
    for (const name of ['diff.evil.textconv', 'filter.evil.clean', 'filter.evil.smudge', 'core.fsmonitor'])
      git(repository, 'config', name, `touch ${join(elsewhere, 'run')}; cat`);
    expect((await traceLines(deps, 'valve.ts', repository)).commits).toHaveLength(3);
    await traceCommit(deps, 'HEAD', repository);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each([
    ['missing.ts:1', /git has no history for missing.ts/],
    ['valve.ts:9', /valve.ts has 3 lines, not 9/],
    ['valve.ts:0', /invalid line range/],
    ['valve.ts:3-2', /invalid line range/],
    ['nowhere/valve.ts', /git has no history/],
  ])('refuses %s', async (place, message) => {
    const { deps, repository } = await withRepository();
    await expect(traceLines(deps, place, repository)).rejects.toThrow(message);
  });
});

const TIMES = ['2026-05-01T10:00:00Z', '2026-05-02T10:00:00Z', '2026-05-03T10:00:00Z'] as const;

/** Three commits to a file: reported in a session, rebased since, and made by the user during a session. */
async function withRepository() {
  const world = createWorld();
  const [repository, elsewhere] = [join(world.folder, 'engine'), join(world.folder, 'elsewhere')];
  for (const folder of [repository, elsewhere]) mkdirSync(folder);
  git(repository, 'init', '-q');
  const hashes = {
    first: commitFile(repository, 'one\ntwo\n', 'Add the valve', TIMES[0]),
    second: commitFile(repository, 'one\nTWO\n', 'Oil the valve', TIMES[1]),
    third: commitFile(repository, 'one\nTWO\nthree\n', 'Paint the valve', TIMES[2]),
  };
  const edit = toolPair('Edit', { file_path: join(repository, 'valve.ts') }, 'ok');
  const sessions = {
    first: bashPair('git commit -m x', `[main ${hashes.first.slice(0, 8)}] Add the valve\n 1 file changed\n`),
    second: bashPair('git commit -m x', '[main 1234567] Oil the valve\n 1 file changed\n'),
    third: [],
    quiet: bashPair('rtk git commit -m "Wash the valve"', 'ok'),
    other: [
      ...bashPair('git commit -m x', '[main abcdef1] Sand the valve\n 1 file changed\n', 'made'),
      ...bashPair('git commit --amend -m x', '[main abcdef2] Sand the valve\n 1 file changed\n', 'amended'),
      line.assistant('Merged as `7acea0413e4eb9f648ff17a376385fa32ab9b99a`.'),
    ],
  };
  for (const [at, [sessionId, lines]] of Object.entries(sessions).entries()) {
    const start = new Date(
      Date.parse(TIMES[Math.min(at, 2)] ?? '') - (at >= 3 ? 7_200_000 : 5000),
    ).toISOString();
    const all = [line.user('Turn the valve'), ...edit, ...lines];
    writeClaude(world.claudeHome, sessionId, stampLines(all, { sessionId, start, cwd: repository }));
  }
  const parts = await openWorld(world);
  await indexWorld(parts);
  const environment = { ...process.env, HOME: world.folder, GIT_CONFIG_GLOBAL: '/dev/null' };
  const deps: TraceDependencies = { ...parts, store: await parts.store(), git: createGitReader(environment) };
  return { deps, repository, elsewhere, hashes };
}

function commitFile(repository: string, text: string, subject: string, date: string): string {
  writeFileSync(join(repository, 'valve.ts'), text);
  git(repository, 'add', '.');
  git(repository, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', subject, '--date', date);
  return git(repository, 'rev-parse', 'HEAD').trim();
}

function git(directory: string, ...words: string[]): string {
  const env = { ...process.env, HOME: directory, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', words, { cwd: directory, env, encoding: 'utf8' });
}

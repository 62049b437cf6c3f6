import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { collectCheckpoints } from './collect-checkpoints.ts';

function repository() {
  const clone = join(tempFolder(), 'shop');
  mkdirSync(clone);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const commit = (message: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, name)), { recursive: true });
      writeFileSync(join(clone, name), text);
    }
    git('add', '-A');
    git('commit', '-qm', message);
  };
  git('init', '-qb', 'main');
  return { clone, git, commit };
}

const metadata = (session_id: string, agent: string, created_at = '2026-01-02T03:04:05Z') =>
  JSON.stringify({ session_id, agent, created_at, branch: 'main' });

it('makes a corpus of the transcripts in a repository, with the commits that name them', () => {
  const { clone, git, commit } = repository();
  commit('Add the shop\n\nEntire-Checkpoint: aabbbbbbbbbb', { 'shop.ts': '1' });
  commit('Fix a typo', { 'shop.ts': '2' });
  git('checkout', '-q', '--orphan', 'entire/checkpoints/v1');
  git('rm', '-qrf', '.');
  commit('Checkpoint: aabbbbbbbbbb', {
    'aa/bbbbbbbbbb/metadata.json': '{}',
    'aa/bbbbbbbbbb/0/metadata.json': metadata('one', 'Claude Code'),
    'aa/bbbbbbbbbb/0/full.jsonl': 'first\n',
    'aa/bbbbbbbbbb/0/full.jsonl.001': 'second\n',
    'aa/bbbbbbbbbb/1/metadata.json': metadata('two', 'Codex'),
    'aa/bbbbbbbbbb/1/full.jsonl': 'codex\n',
    'aa/bbbbbbbbbb/2/metadata.json': metadata('three', 'Unknown Agent'),
    'aa/bbbbbbbbbb/2/full.jsonl': 'unknown\n',
    'aa/bbbbbbbbbb/3/metadata.json': JSON.stringify({ session_id: 'four', created_at: '2026-01-02' }),
    'aa/bbbbbbbbbb/3/full.jsonl': 'of no agent\n',
    '00/cccccccccc/0/metadata.json': metadata('one', 'Claude Code', '2026-01-01T00:00:00Z'),
    '00/cccccccccc/0/full.jsonl': 'older\n',
  });

  const folder = tempFolder();
  expect(collectCheckpoints(clone, folder)).toEqual({ sessions: 2, commits: 1 });
  const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');
  expect(read('claude', 'projects', '-checkpoints', 'one.jsonl')).toBe('first\nsecond\n');
  expect(read('codex', 'sessions', '2026', '01', '02', 'rollout-2026-01-02T03-04-05-two.jsonl')).toBe(
    'codex\n',
  );
  expect(JSON.parse(read('commits.jsonl'))).toMatchObject({
    repo: 'shop',
    subject: 'Add the shop',
    sessions: ['one', 'two'],
  });
});

it('refuses a repository without transcripts', () => {
  const { clone, commit } = repository();
  commit('Add the shop', { 'shop.ts': '1' });
  expect(() => collectCheckpoints(clone, tempFolder())).toThrow('no branch entire/checkpoints/v1');
});

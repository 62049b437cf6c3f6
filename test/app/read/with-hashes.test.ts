import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withHashes } from '../../../src/app/read/with-hashes.ts';
import { createGitReader } from '../../../src/compose/trace.ts';
import type { Commit } from '../../../src/domain/session/session.ts';
import { sessionRecord } from '../../support/transcripts/sessions.ts';

const START = '2026-05-02T10:00:00.500Z';
const END = '2026-05-02T11:00:00.000Z';

let repository: string;
const hashes: string[] = [];
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'smart-fork-hashes-'));
  git('init', '-q');
  for (const [date, subject] of [
    ['2026-05-01T10:00:00Z', 'Turn the valve'],
    ['2026-05-02T10:00:00Z', 'Turn the valve'],
    ['2026-05-02T10:20:00Z', 'Oil the valve'],
    ['2026-05-02T10:30:00Z', 'Oil the valve'],
    ['2026-05-03T10:00:00Z', 'Paint the valve'],
  ] as const) {
    git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-qm',
      subject,
      '--allow-empty',
      '--date',
      date,
    );
    hashes.push(git('rev-parse', 'HEAD').trim());
  }
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

describe('withHashes', () => {
  it('takes the hashes that git did not print from the repository, by subject and time', async () => {
    expect(
      await hashesOf([
        { hash: '', subject: 'Turn the valve' },
        { hash: '', subject: 'Oil the valve' },
        { hash: '', subject: 'Oil the valve' },
        { hash: '', subject: 'Paint the valve' },
        { hash: '', subject: '' },
      ]),
    ).toEqual([hashes[1], hashes[2], hashes[3], '', '']);
  });

  it('gives no two commits one hash', async () => {
    const named = { hash: hashes[3]?.slice(0, 8) ?? '', subject: 'Oil the valve' };
    expect(await hashesOf([{ hash: '', subject: 'Oil the valve' }, named])).toEqual([hashes[2], named.hash]);
  });

  it('asks nobody if all are known, or the repository is not here', async () => {
    const never = () => Promise.reject(new Error('asked'));
    const known = sessionRecord({ commits: [{ hash: '1234567', subject: 'x' }], repo_path: repository });
    expect(await withHashes(never, known)).toBe(known);
    expect(await hashesOf([{ hash: '', subject: 'Turn the valve' }], join(repository, 'gone'))).toEqual(['']);
  });
});

async function hashesOf(commits: Commit[], repo_path = repository): Promise<string[]> {
  const reader = createGitReader({ ...process.env, HOME: repository, GIT_CONFIG_GLOBAL: '/dev/null' });
  const one = sessionRecord({ commits, repo_path, started_at: START, ended_at: END });
  return (await withHashes(async () => reader, one)).commits.map(({ hash }) => hash);
}

function git(...words: string[]): string {
  const env = { ...process.env, HOME: repository, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', words, { cwd: repository, env, encoding: 'utf8' });
}

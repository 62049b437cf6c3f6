import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../src/domain/machine/shell.ts';
import { pointId, uuid5 } from '../../../src/domain/point/point-id.ts';
import { repoId, repoKey, repoName } from '../../../src/domain/session/repository.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

describe('point ids', () => {
  it('makes point ids that are version 5 UUIDs in the DNS namespace', () => {
    // The example in RFC 9562, appendix A.4.
    expect(uuid5('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('makes point ids from session, type and index', () => {
    const id = '533e6824-6fb0-4f12-a406-517d2677734e';
    expect(pointId(id, 'intent', 3)).toBe(uuid5(`${id}_intent_3`));
    expect(pointId(id, 'chunk', 0)).toBe(uuid5(`${id}_chunk_0`));
    expect(pointId(id, 'archive', 12)).toBe(uuid5(`${id}_archive_12`));
    expect(pointId(id, 'session')).toBe(uuid5(`${id}_session`));
    expect(pointId(id, 'session')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe('repo_id', () => {
  it('makes a repo_id from the first eight digits of the SHA-256 of the normalized path', () => {
    // printf %s /c/github/my-project | sha256sum
    expect(repoId('/c/Github/my-project')).toBe('f7248797');
  });

  it('ignores case, trailing slashes and the kind of slashes in a repo_id', () => {
    const same = [
      'C:\\Github\\My-Project',
      'c:/github/my-project',
      'C:/Github/my-project/',
      'c:\\github\\my-project\\\\',
    ];
    expect(new Set(same.map(repoId)).size).toBe(1);
    expect(repoId('/c/Github/my-project')).not.toBe(repoId('/d/Work/my-project'));
  });
});

describe('repo_key', () => {
  const key = 'github.com/acme/widgets';
  it.each([
    ['https://github.com/acme/widgets.git', key],
    ['https://github.com/acme/widgets', key],
    ['https://github.com/acme/widgets/', key],
    ['https://github.com/Acme/Widgets.git/', key],
    ['https://user@github.com/acme/widgets.git', key],
    ['https://user:s3cret@github.com/acme/widgets.git', key],
    ['https://github.com:443/acme/widgets.git', key],
    ['http://github.com/acme/widgets', key],
    ['git://github.com/acme/widgets.git', key],
    ['ssh://git@github.com/acme/widgets.git', key],
    ['ssh://git@github.com:2222/acme/widgets.git', key],
    ['git+ssh://git@github.com/acme/widgets.git', key],
    ['git@github.com:acme/widgets.git', key],
    ['github.com:acme/widgets', key],
    ['git@github.com:/acme/widgets.git', key],
    ['git@gitlab.example.com:group/sub/deep/widgets.git', 'gitlab.example.com/group/sub/deep/widgets'],
    ['https://gitlab.example.com/group/sub/widgets.git', 'gitlab.example.com/group/sub/widgets'],
    ['ssh://git@[2001:db8::1]:22/acme/widgets.git', '[2001:db8::1]/acme/widgets'],
    ['  https://github.com/acme/widgets.git\n', key],
  ])('turns %s into %s', (url, expected) => {
    expect(repoKey(url)).toBe(expected);
  });

  it.each([
    '',
    '/srv/git/widgets.git',
    '../widgets',
    'C:\\repos\\widgets',
    'C:/repos/widgets',
    'file:///srv/git/widgets.git',
    'https://github.com/',
    'nonsense',
  ])('derives no key from %s', (url) => expect(repoKey(url)).toBeNull());

  it('never puts a password into a repo_key', () => {
    for (const url of ['https://a:p@ss@github.com/acme/widgets', 'https://a:b@c:d@github.com/acme/widgets'])
      expect(repoKey(url) ?? '').not.toMatch(/p@|b@|ss@/);
  });
});

it('names a repository by the last part of its POSIX or Windows path', () => {
  expect(repoName('/home/dev/widgets/')).toBe('widgets');
  expect(repoName('C:\\Users\\dev\\widgets')).toBe('widgets');
  expect(repoName('/')).toBe('/');
});

describe('a command for the user to copy', () => {
  const nasty = [
    'plain',
    'with space',
    "it's",
    '"quoted"',
    '$HOME',
    '`date`',
    '$(date)',
    'a;b',
    'a&&b',
    'a|b',
    'new\nline',
    'tab\there',
    '*?[x]',
    '~',
    '~root',
    '!history',
    '#comment',
    '\\back\\slash',
    'naïve 日本語 🙂',
    '-dash',
    '(paren)',
    '<in>out',
    "''",
    '{a,b}',
    '%PATH%',
    '^',
  ];

  it.skipIf(process.platform === 'win32')(
    'passes every word through a real shell, in the folder it names',
    () => {
      const root = tempFolder('quoting');
      for (const name of nasty) {
        const folder = join(root, name);
        mkdirSync(folder, { recursive: true });
        const line = commandLine(['printf', '%s\\0', ...nasty], folder, 'posix');
        expect(run(line).split('\0').slice(0, -1)).toEqual(nasty);
        expect(run(commandLine(['pwd'], folder, 'posix')).replace(/\n$/, '')).toBe(folder);
      }
    },
  );

  it('adds no quotes where none are needed', () => {
    expect(commandLine(['claude', '--resume', 'abc', '--fork-session'], '/home/dev/widgets', 'posix')).toBe(
      'cd /home/dev/widgets && claude --resume abc --fork-session',
    );
  });

  it('quotes for PowerShell on Windows', () => {
    expect(commandLine(['claude', '--resume', 'abc'], "C:\\Users\\O'Neil\\my code", 'powershell')).toBe(
      "cd 'C:\\Users\\O''Neil\\my code'; claude --resume abc",
    );
  });
});

function run(line: string): string {
  return execFileSync('sh', ['-c', line], { encoding: 'utf8' });
}

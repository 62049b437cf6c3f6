import { expect, it } from 'vitest';
import { createPrivacyRules, type PrivacySettings } from '../../../src/app/privacy/privacy-rules.ts';
import type { PrivacySubject } from '../../../src/app/privacy/privacy-subject.ts';

/** A session that stayed in a single folder, repository and branch. */
interface Subject {
  path: string;
  workingDirectory: string | null;
  repoKey: string | null;
  repoName: string | null;
  branch: string | null;
}

const SESSION: Subject = {
  path: '/home/ada/.claude/projects/-srv-client-shop/1b2c.jsonl',
  workingDirectory: '/srv/client/shop/api',
  repoKey: 'github.com/acme/shop',
  repoName: 'shop',
  branch: 'feature/checkout',
};
const allows = (settings: Partial<PrivacySettings>, subject: Partial<Subject> = {}) =>
  createPrivacyRules({ exclude: {}, ignoreFileText: null, home: '/home/ada', ...settings }).allows(
    staying({ ...SESSION, ...subject }),
  );
const staying = ({ path, workingDirectory, repoKey, repoName, branch }: Subject): PrivacySubject => ({
  path,
  workingDirectories: workingDirectory === null ? [] : [workingDirectory],
  repositories: [{ repoKey, repoName }],
  branches: branch === null ? [] : [branch],
});

it('allows every session when nothing is excluded', () => {
  expect(allows({})).toBe(true);
  expect(allows({ ignoreFileText: '\n# only a comment\n' })).toBe(true);
});

it.each([
  'github.com/acme/shop',
  'GitHub.com/Acme/Shop',
  'https://github.com/acme/shop.git',
  'github.com/acme',
  'github.com/*/shop',
  'shop',
  'sh*',
])('excludes a repository given as %s', (entry) => {
  expect(allows({ exclude: { repositories: [entry] } })).toBe(false);
});

it.each(['github.com/acme/shopping', 'gitlab.com/acme/shop', 'hop', 'client'])(
  'does not exclude another repository: %s',
  (entry) => {
    expect(allows({ exclude: { repositories: [entry] } })).toBe(true);
  },
);

it('excludes a repository without a remote by its name', () => {
  expect(allows({ exclude: { repositories: ['shop'] } }, { repoKey: null })).toBe(false);
});

it.each([
  '/srv/client',
  '/srv/client/',
  '/srv/*/shop',
  '/srv/**/api',
  'client',
  '~/.claude/projects/-srv-client-shop',
  '1b2c.jsonl',
])('excludes sessions in %s', (entry) => {
  expect(allows({ exclude: { paths: [entry] } })).toBe(false);
});

it.each(['/srv/cli', '/client', '~/srv', 'shop.jsonl'])('does not exclude another folder: %s', (entry) => {
  expect(allows({ exclude: { paths: [entry] } })).toBe(true);
});

it('matches Windows paths', () => {
  const subject = { workingDirectory: 'C:\\Work\\Client\\api' };
  expect(allows({ exclude: { paths: ['c:\\work\\client'] } }, subject)).toBe(false);
  expect(allows({ exclude: { paths: ['C:/Work/Other'] } }, subject)).toBe(true);
});

it('matches branches from their beginning', () => {
  expect(allows({ exclude: { branches: ['feature/*'] } })).toBe(false);
  expect(allows({ exclude: { branches: ['feature'] } })).toBe(false);
  expect(allows({ exclude: { branches: ['checkout'] } })).toBe(true);
  expect(allows({ exclude: { branches: ['#12'] } }, { branch: '#12' })).toBe(false);
});

it.each([
  ['/srv/client/', false],
  ['/srv/client/*\n!/srv/client/shop/', true],
  ['/srv/client/*\n!/srv/client/other/', false],
  ['*.jsonl', false],
  ['~/.claude/projects/-srv-*', false],
  ['/srv/client/shop/web', true],
  ['\\#nothing\r\n# /srv/client\r\n/srv/cli', true],
])('reads .smartforkignore as git reads .gitignore: %j', (ignoreFileText, allowed) => {
  expect(allows({ ignoreFileText })).toBe(allowed);
});

it('decides about a session with few known facts', () => {
  const unknown = { workingDirectory: null, repoKey: null, repoName: null, branch: null };
  expect(allows({ exclude: { repositories: ['*'], branches: ['*'] } }, unknown)).toBe(true);
  expect(allows({ exclude: { paths: ['*'] } }, unknown)).toBe(false);
  expect(allows({ ignoreFileText: '/' }, { workingDirectory: '/' })).toBe(true);
});

it.each([
  [['/srv/client'], 'srv-client-shop', false],
  [['/srv/my.client'], 'srv-my-client', false],
  [['C:\\work\\client'], 'c-work-client', false],
  [['~/notes'], 'home-ada-notes', false],
  [['client'], 'srv-client-shop', false],
  [['*.secret'], 'srv-a-secret', false],
  [['/srv/client'], 'srv-clients', true],
  [['/client'], 'srv-client', true],
  [['client'], 'srv-clients', true],
])(
  'excludes a session whose folder is unknown by the name of its transcript’s folder: %s %s',
  (paths, name, allowed) => {
    const subject = { path: `/home/ada/.agent/projects/${name}/t/1b2c.jsonl`, workingDirectory: null };
    expect(allows({ exclude: { paths } }, subject)).toBe(allowed);
    expect(allows({ ignoreFileText: `# x\n${paths.join('\n')}` }, subject)).toBe(allowed);
    expect(allows({ exclude: { paths } }, { ...subject, workingDirectory: '/opt/other' })).toBe(true);
  },
);

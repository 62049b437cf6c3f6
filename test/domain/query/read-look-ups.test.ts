import { describe, expect, it } from 'vitest';
import { readLookUps } from '../../../src/domain/query/read-look-ups.ts';

const summary = (query: string) => readLookUps(query).map(({ kind, value }) => `${kind} ${value}`);

describe('readLookUps', () => {
  it.each([
    ['0f9e02bd', 'session 0f9e02bd', 'commit 0f9e02bd'],
    ['why did 0F9E02B break the build', 'commit 0f9e02b'],
    ['commit 1234567', 'commit 1234567'],
    ['session 27940602', 'session 27940602', 'commit 27940602'],
    ['27940602', 'session 27940602', 'commit 27940602'],
    ['1234567', 'commit 1234567'],
    ['11111111-1111-4111-8111-11111111111a', 'session 11111111-1111-4111-8111-11111111111a'],
    ['019f36b8-7808', 'session 019f36b8-7808'],
    ['what was 8fc80a94-c about', 'session 8fc80a94-c'],
    ['019f36b8-7808-7b53-b256-85144c802798', 'session 019f36b8-7808-7b53-b256-85144c802798'],
    ['fix for #123', 'pull 123'],
    ['the #12 review', 'pull 12'],
    ['PR 123 review comments', 'pull 123'],
    ['https://github.com/acme/web-shop/pull/42', 'pull 42'],
    ['web-shop/pull/42', 'pull 42'],
    ['https://git.example.com/pull/42', 'pull 42'],
    ['src/auth.ts', 'file src/auth.ts'],
    ['./src/auth.ts:12:3', 'file src/auth.ts'],
    ['auth.test.ts', 'file auth.test.ts'],
    ['feat/login', 'branch feat/login', 'file feat/login'],
    ["TypeError: cannot read 'id' of undefined\n  at f", "error TypeError: cannot read 'id' of undefined"],
    ['error: cannot find module', 'error error: cannot find module'],
    ['error[E0382]: borrow of moved value', 'error error[E0382]: borrow of moved value'],
    ['TS2322: type is not assignable', 'error TS2322: type is not assignable'],
    ['ENOENT: no such file or directory', 'error ENOENT: no such file or directory'],
  ])('recognizes what a query names: %s', (query, ...expected) => {
    expect(summary(query)).toEqual(expected);
  });

  it.each([
    'https://github.com/Acme/web-shop/pull/42',
    'https://gitlab.com/acme/web-shop/-/merge_requests/42',
  ])('reads the repository of a pull request: %s', (url) => {
    expect(readLookUps(url)).toEqual([{ kind: 'pull', value: '42', repository: 'acme/web-shop' }]);
  });

  it('names each once, and of very many the first', () => {
    expect(summary('#12 and #12 again')).toEqual(['pull 12']);
    const log = Array.from({ length: 60 }, (_, at) => `0f9e0${at + 10}a Commit ${at}`).join('\n');
    expect(summary(log)).toHaveLength(20);
  });

  it.each([
    'add rate limiting',
    'deadbeef feedface decade',
    'issue 1234567',
    'fix login in src/auth.ts',
    'merge feat/login',
    'color #fff and #123abc',
    'version 1.2.3',
    'fix priority #1 bug',
    'the #1 problem in the report',
    'option #2 of the plan',
    'steps #3 and following',
    'the file backup-20260218-1430',
    'Expand the README section',
    'error handling in the parser',
    'warning about unused exports',
    'oauth',
  ])('recognizes no names in other words: %s', (query) => {
    expect(summary(query)).toEqual([]);
  });
});

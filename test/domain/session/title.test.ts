import { describe, expect, it } from 'vitest';
import { tellingTitle } from '../../../src/domain/session/title.ts';
import { titleOf } from '../../../src/domain/session/title-line.ts';
import { cpuTime } from '../../support/cpu-time.ts';

describe('the title of a prompt', () => {
  it.each([
    ['Make the websocket reconnect with backoff', 'Make the websocket reconnect with backoff'],
    [
      'Fix the login. It fails when the token is old.\n\nMore text.',
      'Fix the login. It fails when the token is old.',
    ],
    ['Hi Claude, the cache is stale after a deploy', 'the cache is stale after a deploy'],
    ['hello!\n\nThe cache is stale', 'The cache is stale'],
    ['Implement the following plan:\n\n# Plan: Upload reports\n\n## Context', 'Upload reports'],
    ['/review the login page of the shop', 'the login page of the shop'],
    ['/etc/hosts has a wrong entry', '/etc/hosts has a wrong entry'],
    ['```ts\nconst total = 1;\n```\nWhy is the total wrong?', 'Why is the total wrong?'],
    ['<file path="a.ts">\nexport const a = 1;\n</file>\nRename a to first', 'Rename a to first'],
    ['[Pasted text #1 +40 lines] explain this stack trace', 'explain this stack trace'],
    [
      '➜ shop git:(main) ✗ npm test\nerror: no tests found\n\nwhy are no tests found',
      'why are no tests found',
    ],
    ['hint: use --refresh to rescan\n\nWhat does rescanning cost?', 'What does rescanning cost?'],
    ['2026-03-01T10:00:00Z GET /cart 500\n\nthe cart answers 500', 'the cart answers 500'],
    ['{\n  "name": "shop"\n}\n\nadd a license to it', 'add a license to it'],
    ['You are a senior reviewer. Check the payment code for races.', 'Check the payment code for races.'],
    ['You are a reviewer of payment code', 'You are a reviewer of payment code'],
    ['Почини вход через GitHub', 'Почини вход через GitHub'],
    ['ログイン画面を直してください', 'ログイン画面を直してください'],
    ['> **Note** the *menu* overlaps the logo', 'Note the *menu* overlaps the logo'],
  ])('is its first telling sentence: %j', (text, title) => expect(tellingTitle(text)).toBe(title));

  it.each([
    ...['hi', 'Hello!', 'continue', 'go on please', 'commit this', 'ok thanks', '/clear', '/review', '2'],
    ...['! git status', '[Pasted text #1 +40 lines]', '```\nconst a = 1;\n```', 'yes, do it', ''],
  ])('takes no title from a prompt that says nothing about the session: %j', (text) =>
    expect(tellingTitle(text)).toBe(''),
  );

  it('limits a title to one line of 100 characters', () => {
    const long = `Replace the ${'very '.repeat(30)}old parser`;
    expect(tellingTitle(long)).toMatch(/^Replace the very .*…$/);
    expect(tellingTitle(long).length).toBeLessThanOrEqual(100);
    for (const gap of ['\n', '\r\n', '\r', '\u2028', '\t']) {
      expect(tellingTitle(`Fix the${gap}login form`)).not.toMatch(/[\n\r\u2028\t]/);
      expect(titleOf(`Fix the login${gap}and the logout`)).not.toMatch(/[\n\r\u2028\t]/);
    }
  });

  it('finds a title in linear time', () => {
    const time = cpuTime(() => {
      for (const text of ['<a>\n', '```\n', 'a. ', '. A', '\n\n', '> ']) tellingTitle(text.repeat(30_000));
    });
    expect(time).toBeLessThan(2000);
  });
});

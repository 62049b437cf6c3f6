import { expect, it } from 'vitest';
import { countsOf } from '../../src/page/activity/day-text.ts';
import type { ActiveDay } from '../../src/page/api/types.ts';

it('says that sessions ended on a day, not that their commits were made on it', () => {
  const day = (sessions: number, commits: number) =>
    countsOf({ sessions: Array(sessions), commits: Array(commits) } as Pick<
      ActiveDay,
      'sessions' | 'commits'
    >);
  expect(day(1, 5)).toBe('1 session ended, 5 commits in it');
  expect(day(2, 1)).toBe('2 sessions ended, 1 commit in them');
  expect(day(2, 0)).toBe('2 sessions ended');
  expect(day(0, 0)).toBe('');
});

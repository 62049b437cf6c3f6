import { expect, it } from 'vitest';
import { checkCleanup } from '../../../src/app/setup/check-cleanup.ts';
import type { TranscriptFile } from '../../../src/ports/transcript-source.ts';

const NOW = Date.UTC(2026, 6, 31);
const DAY = 86_400_000;

function file(sessionId: string, daysAgo: number): TranscriptFile {
  return { agent: 'gemini', path: sessionId, sessionId, size: 1, mtimeMs: NOW - daysAgo * DAY, inode: 1 };
}

function check(days: number, ages: number[], archived: string[], isArchived = true) {
  const files = ages.map((age) => file(`s${age}`, age));
  const holds = ({ sessionId }: TranscriptFile) => archived.includes(sessionId);
  return checkCleanup({ agent: 'gemini', folders: [{ days, files }], isArchived, holds, nowMs: NOW });
}

it('counts the sessions that would be deleted in the next week, and says whether they are archived', () => {
  const [found] = check(30, [1, 22, 24, 29, 40], ['s24', 's29', 's40']);
  expect(found).toMatchObject({ name: 'Clean-up', status: 'ok' });
  expect(found?.message).toBe(
    'Gemini CLI deletes transcripts after 30 days (general.sessionRetention); 3 sessions would be deleted in the next week; they are archived',
  );
});

it('says which of them are not archived', () => {
  expect(check(30, [24, 29], ['s24'])).toEqual([
    expect.objectContaining({ status: 'note', message: expect.stringMatching(/; 1 is not archived$/) }),
  ]);
});

it('warns if archiving is off, and says nothing for an agent that deletes nothing', () => {
  expect(check(30, [29], [], false)[0]).toMatchObject({ status: 'warn' });
  expect(check(Infinity, [29], [])).toEqual([]);
});

import { expect, it } from 'vitest';
import { withoutDuplicates } from '../../../src/app/sessions/without-duplicates.ts';
import type { TranscriptFile } from '../../../src/ports/transcript-source.ts';

const file = (path: string, more: Partial<TranscriptFile> = {}): TranscriptFile => ({
  agent: 'opencode',
  path,
  sessionId: 'one',
  size: 2,
  mtimeMs: 5,
  inode: 0,
  ...more,
});

it.each([
  ['the longest', file('/a', { size: 3 }), file('/b')],
  ['the newest of those', file('/a', { mtimeMs: 6 }), file('/b')],
  ['the one with the shortest path of equals', file('/opencode.db#one'), file('/opencode-backup.db#one')],
  ['the session’s own before any copy', file('/a'), file('/b', { size: 9, isCopy: true })],
])('keeps %s', (_, best, other) => {
  expect(withoutDuplicates([best, other])).toEqual([best]);
  expect(withoutDuplicates([other, best])).toEqual([best]);
});

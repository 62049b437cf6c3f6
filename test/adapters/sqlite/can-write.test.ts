import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canWrite } from '../../../src/adapters/sqlite/database/open-database.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

const FULL = { bavail: 0, bfree: 0, bsize: 4096 };

it.each([
  ['has no free block', { ...FULL, blocks: 1000 }, false],
  ['says nothing but zeros', { ...FULL, bsize: 0, blocks: 0 }, true],
])('detects whether a store can be written on a file system that %s', (_, answer, expected) => {
  const path = join(tempFolder('can-write'), 'index.db');
  writeFileSync(path, '');
  answerWith(answer);
  expect(canWrite(path)).toBe(expected);
});

function answerWith(answer: object): void {
  const { statfsSync } = fs;
  fs.statfsSync = (() => answer) as unknown as typeof statfsSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  });
}

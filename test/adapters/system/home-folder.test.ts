import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeProblems } from '../../../src/adapters/system/home-folder.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

it('names files in the home folder that others can read, and survives files that disappear meanwhile', () => {
  const home = tempFolder('home');
  chmodSync(home, 0o700);
  writeFileSync(join(home, 'state.db'), '', { mode: 0o600 });
  // Listed, but missing.
  symlinkSync(join(home, 'gone'), join(home, 'index.db-journal'));
  expect(homeProblems(home)).toEqual([]);
  mkdirSync(join(home, 'logs'));
  chmodSync(join(home, 'logs'), 0o755);
  expect(homeProblems(home)).toMatchObject([{ message: 'logs can be read by other users', fatal: false }]);
});

it('says why a home cannot be created', () => {
  const folder = tempFolder('home');
  expect(homeProblems(join(folder, 'some', 'home'))).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  expect(homeProblems(join(folder, 'file', 'home'))).toMatchObject([
    { message: `${join(folder, 'file')} is not a folder`, fatal: true },
  ]);
});

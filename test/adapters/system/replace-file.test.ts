import fs, { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { putNewFile, replaceFile } from '../../../src/adapters/system/replace-file.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

/** A file system without links, as on many USB sticks and network shares. */
function withoutLinks(): void {
  const { linkSync } = fs;
  fs.linkSync = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  });
}

it.each([
  ['with links', () => undefined],
  ['without links', withoutLinks],
])('gives a finished file its name on a file system %s, and never overwrites another file', (_, prepare) => {
  prepare();
  const folder = tempFolder('new-file');
  const [aside, path] = [join(folder, 'aside'), join(folder, 'transcript.jsonl')];
  writeFileSync(aside, 'whole');
  putNewFile(aside, path);
  expect([readFileSync(path, 'utf8'), existsSync(aside)]).toEqual(['whole', false]);
  writeFileSync(aside, 'other');
  expect(() => putNewFile(aside, path)).toThrow();
  expect(readFileSync(path, 'utf8')).toBe('whole');
});

it.skipIf(process.platform === 'win32')(
  'does not write through a link in the place of its temporary file',
  () => {
    const folder = tempFolder('replaced-file');
    const [path, victim] = [join(folder, 'a.md'), join(folder, 'victim')];
    writeFileSync(victim, 'precious');
    symlinkSync(victim, join(folder, `.a.md.${process.pid}.tmp`));
    replaceFile(path, 'text');
    expect([readFileSync(path, 'utf8'), lstatSync(path).isFile()]).toEqual(['text', true]);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  },
);

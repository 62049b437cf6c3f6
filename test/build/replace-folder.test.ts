import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/files/temp-folder.ts';

it('leaves a complete folder, and nothing else, after several builds at once', async () => {
  const folder = tempFolder('build');
  await Promise.all(Array.from({ length: 4 }, () => build(folder, 'done')));
  expect(readdirSync(folder)).toEqual(['dist']);
  expect(filesIn(folder)).toEqual(['first', 'second']);
});

it('keeps what there is if a build fails, and deletes what killed ones left an hour ago', async () => {
  const folder = tempFolder('build');
  for (const name of ['dist', 'dist.new-1', 'dist.new-2']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'old'), '');
  }
  utimesSync(join(folder, 'dist.new-1'), 0, 0);
  await expect(build(folder, 'failed')).rejects.toThrow('no such module');
  expect(readdirSync(folder).sort()).toEqual(['dist', 'dist.new-2']);
  expect(filesIn(folder)).toEqual(['old']);
});

it('puts back what a build moved away that was killed before it put its own in place', async () => {
  const folder = tempFolder('build');
  mkdirSync(join(folder, 'dist.new-1.old'));
  writeFileSync(join(folder, 'dist.new-1.old', 'old'), '');
  await expect(build(folder, 'failed')).rejects.toThrow('no such module');
  expect(filesIn(folder)).toEqual(['old']);
});

/** Writes two files one after the other, as a build does, twenty times if it does not fail. */
async function build(cwd: string, end: 'done' | 'failed'): Promise<void> {
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { newFolderFor, replaceFolder } from '${pathToFileURL(resolve('build/replace-folder.js'))}';
    for (let at = 0; at < 20; at += 1) {
      const path = newFolderFor('dist');
      mkdirSync(path);
      writeFileSync(path + '/first', '');
      await new Promise((done) => setTimeout(done, 2));
      if ('${end}' === 'failed') throw new Error('no such module');
      writeFileSync(path + '/second', '');
      replaceFolder('dist', path);
    }`;
  const words = ['--input-type=module', '--eval', program];
  await promisify(execFile)(process.execPath, words, { cwd });
}

function filesIn(folder: string): string[] {
  return readdirSync(join(folder, 'dist')).sort();
}

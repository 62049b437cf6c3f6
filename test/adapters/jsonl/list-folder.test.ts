import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles } from '../../../src/adapters/jsonl/list-folder.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

it('lists the files behind links, and ends where links lead back', () => {
  const root = join(tempFolder('list'), 'sessions');
  mkdirSync(join(root, '2026/07'), { recursive: true });
  writeFileSync(join(root, '2026/07/one.jsonl'), '');
  renameSync(join(root, '2026/07'), join(root, '../moved'));
  symlinkSync(join(root, '../moved'), join(root, '2026/07'));
  symlinkSync(join(root, '2026/07/one.jsonl'), join(root, 'two.jsonl'));
  symlinkSync(root, join(root, '2026/again'));
  symlinkSync(join(root, '../moved'), join(root, '../moved/itself'));
  mkdirSync(join(root, '../other'));
  symlinkSync(join(root, '../other'), join(root, '../moved/other'));
  symlinkSync(join(root, '../moved'), join(root, '../other/back'));
  symlinkSync(join(root, 'nowhere'), join(root, 'lost.jsonl'));
  expect(listFiles(root).sort()).toEqual(
    ['2026/07/one.jsonl', 'lost.jsonl', 'two.jsonl'].map((name) => join(root, name)),
  );
});

it('lists a folder once, however many links lead to it', () => {
  const root = join(tempFolder('list'), 'chats');
  const folders = Array.from({ length: 9 }, (_, at) => join(root, `d${at}`));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const [at, next] of folders.slice(1).entries())
    for (const link of ['a', 'b']) symlinkSync(next, join(root, `d${at}`, link));
  writeFileSync(join(root, 'd8/one.jsonl'), '');
  expect(listFiles(root)).toEqual([join(root, 'd8/one.jsonl')]);
});

it('follows no link to a folder above the one that is listed', () => {
  const above = tempFolder('list');
  const root = join(above, 'chats');
  mkdirSync(root);
  writeFileSync(join(above, 'notes.jsonl'), '');
  symlinkSync(above, join(root, 'up'));
  symlinkSync(parse(above).root, join(root, 'disk'));
  expect(listFiles(root)).toEqual([]);
});

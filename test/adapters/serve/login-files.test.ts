import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLoginFiles } from '../../../src/adapters/serve/login-files.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

const ID = '0123456789abcdef'.repeat(2);
const HOUR_MS = 3_600_000;

it('ends a login that has expired, and deletes its file', () => {
  const folder = join(tempFolder(), 'logins');
  let now = Date.now();
  const logins = createLoginFiles(folder, () => now);
  logins.add(ID, { expires: new Date(now + HOUR_MS).toISOString(), browser: null });
  now += HOUR_MS / 2;
  expect(logins.use(ID)).toBe(true);
  expect(logins.list()).toMatchObject([{ id: ID, last_used: new Date(now).toISOString() }]);
  now += HOUR_MS;
  expect(logins.use(ID)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it('accepts neither a damaged file nor an id that is a path', () => {
  const folder = tempFolder();
  const logins = createLoginFiles(join(folder, 'logins'));
  logins.add(ID, { expires: '2999-01-01T00:00:00Z', browser: null });
  writeFileSync(join(folder, 'logins', `${ID}.json`), '{"since":');
  writeFileSync(join(folder, 'outside.json'), '{"since":"x","expires":"2999-01-01T00:00:00Z"}');
  expect([logins.use(ID), logins.use('../outside')]).toEqual([false, false]);
});

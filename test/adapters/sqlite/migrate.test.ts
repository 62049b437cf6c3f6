import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMigrated } from '../../../src/adapters/sqlite/database/migrate.ts';
import { type Database, openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { INDEX_SCHEMA, type Schema, STATE_SCHEMA } from '../../../src/adapters/sqlite/database/schemas.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

const FIRST: Schema = { first: 7, steps: ['CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)'] };
const SECOND: Schema = { ...FIRST, steps: [...FIRST.steps, 'CREATE TABLE notes (text TEXT)'] };

describe('the databases', () => {
  it('adds a step to an older database once, and loses nothing', () => {
    const path = join(tempFolder('older'), 'state.db');
    open(path, FIRST, "INSERT INTO meta VALUES ('last_synced', 'then')");
    open(path, SECOND);
    open(path, SECOND, "INSERT INTO notes VALUES ('now')");
    const { database } = openMigrated(path, SECOND);
    const found = database.prepare("SELECT value, text FROM meta, notes WHERE key = 'last_synced'").all();
    database.close();
    expect(found).toMatchObject([{ value: 'then', text: 'now' }]);
  });

  it('waits longer for another process while the database is of an older version', () => {
    const path = join(tempFolder('waiting'), 'state.db');
    open(path, FIRST);
    const waits: unknown[] = [];
    const wait = (database: Database) => database.prepare('PRAGMA busy_timeout').get()?.timeout;
    const step = (database: Database) => void waits.push(wait(database));
    const { database } = openMigrated(path, { ...FIRST, steps: [...FIRST.steps, step] });
    waits.push(wait(database));
    database.close();
    expect(waits).toEqual([120_000, 15_000]);
  });

  it.each([
    ['a newer smart-fork', 9],
    ['a smart-fork before 0.1.0', 6],
  ])('refuses a database of %s', (whose, version) => {
    const path = join(tempFolder('other'), 'state.db');
    open(path, SECOND, `PRAGMA user_version = ${version}`);
    expect(() => openMigrated(path, SECOND)).toThrow(`was written by ${whose} (schema ${version})`);
  });

  it('keeps the versions of 0.1.0 readable', () => {
    expect([INDEX_SCHEMA.first, STATE_SCHEMA.first]).toEqual([7, 10]);
  });
});

function open(path: string, schema: Schema, sql = ''): void {
  openMigrated(path, schema).database.close();
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}

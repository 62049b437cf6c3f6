import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { rememberAnswers } from '../../../src/adapters/sqlite/database/remember-answers.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

it('queries the database again after a change by this connection or another one', () => {
  const path = join(tempFolder('answers'), 'some.db');
  const database = openDatabase(path);
  const other = openDatabase(path);
  database.exec('CREATE TABLE some (id INTEGER)');
  const remember = rememberAnswers(database, 2);
  let asked = 0;
  const count = () =>
    remember('count', () => {
      asked += 1;
      return database.prepare('SELECT count(*) AS n FROM some').get()?.n;
    });
  expect([count(), count(), asked]).toEqual([0, 0, 1]);
  database.exec('INSERT INTO some VALUES (1)');
  expect([count(), count(), asked]).toEqual([1, 1, 2]);
  other.exec('INSERT INTO some VALUES (2)');
  expect([count(), count(), asked]).toEqual([2, 2, 3]);
  remember('another', () => null);
  expect([count(), asked]).toEqual([2, 3]);
  for (const question of ['a third', 'a fourth']) remember(question, () => null);
  expect([count(), asked]).toEqual([2, 4]);
  database.close();
  other.close();
});

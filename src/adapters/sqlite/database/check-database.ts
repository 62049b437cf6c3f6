import { accessSync, constants, statSync } from 'node:fs';
import { errorText, type Problem, problemOf } from '../../../domain/errors.ts';
import { hasCode } from '../../system/has-code.ts';
import { checkVersion } from './migrate.ts';
import { openDatabase, storeUnavailable } from './open-database.ts';
import type { Schema } from './schemas.ts';

/**
 * Describes damage in a database file; null if there is none, or no file. Reads every page, because damage may be where current queries
 * do not look. Never throws.
 */
export function checkDatabase(path: string, schema: Schema): Problem | null {
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).size === 0) throw new Error('file is not a database: it is empty');
    const database = openDatabase(path);
    try {
      checkVersion(database, path, schema);
      const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
      if (found !== 'ok') throw new Error(`database disk image is malformed: ${shortened(String(found))}`);
      return null;
    } finally {
      database.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    return problemOf(storeUnavailable(path, error));
  }
}

/** SQLite lists damaged pages one per line. */
function shortened(text: string): string {
  return errorText(text)
    .replace(/\s+/g, ' ')
    .replace(/^\*\*\* in database main \*\*\* /, '')
    .slice(0, 120);
}

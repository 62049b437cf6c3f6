import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FITS } from '../../domain/search/certainty.ts';
import type { LoggedSearch, SearchLog } from '../../ports/search-log.ts';
import { readRegularText } from '../system/regular-file.ts';

/** About 5,000 searches; one older file of the same size is kept. */
const MAX_BYTES = 500_000;

/** JSON lines in a file and in the one before it. */
export function createSearchLog(path: string): SearchLog {
  const older = path.replace(/\.log$/, '.1.log');
  return {
    note(search) {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const stat = statSync(path, { throwIfNoEntry: false });
        // Opening a pipe would wait for its reader.
        if (stat?.isFile() === false) return;
        if (stat !== undefined && stat.size > MAX_BYTES) renameSync(path, older);
        appendFileSync(path, `${JSON.stringify(search)}\n`, { mode: 0o600 });
      } catch {
        // A search must not fail because of a read-only home.
      }
    },
    read: () => [older, path].flatMap(readLog),
  };
}

function readLog(path: string): LoggedSearch[] {
  try {
    if (!existsSync(path)) return [];
    return readRegularText(path).split('\n').flatMap(searchIn);
  } catch {
    return [];
  }
}

function searchIn(line: string): LoggedSearch[] {
  try {
    const { at, results, fit, ms }: Partial<Record<keyof LoggedSearch, unknown>> = JSON.parse(line);
    const level = FITS.find((one) => one === fit) ?? null;
    const isCount = (value: unknown): value is number | null => value === null || typeof value === 'number';
    return typeof at === 'string' && isCount(results) && isCount(ms) ? [{ at, results, fit: level, ms }] : [];
  } catch {
    // Half a line, written while the machine stopped.
    return [];
  }
}

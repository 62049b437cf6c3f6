import { readMeta, writeMeta } from './migrate.ts';
import type { Database } from './open-database.ts';

/** Unused pages that are worth a rewrite of the file: this many, and this share of it. A page takes 4 KB. */
const MANY_PAGES = 256;
const MANY_SHARE = 0.1;
/** Writers wait while the file is rewritten, some seconds for this many pages. */
const MAX_PAGES = 250_000;

/** Fewer new vectors are not worth it. */
const MANY_VECTORS = 1000;
/** Key of the newest row of `vectors` when the file was last rewritten. */
export const PACKED = 'packed';

/**
 * Whether a tenth of the file is unused, as after the first index, which merges segments of words again and again; or most vectors are
 * new. They are added by type and not in the order of their rows, which leaves a tenth of their pages empty.
 */
export function isLoose(database: Database): boolean {
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const pages = pragma('page_count');
  if (pages > MAX_PAGES) return false;
  const unused = pragma('freelist_count');
  if (unused >= MANY_PAGES && unused > MANY_SHARE * pages) return true;
  const packed = Number(readMeta(database, PACKED) ?? 0);
  const newest = newestVector(database);
  return newest - packed >= MANY_VECTORS && newest >= 2 * packed;
}

function newestVector(database: Database): number {
  return Number(database.prepare('SELECT max(rowid) AS newest FROM vectors').get()?.newest ?? 0);
}

/** Gives unused pages back to the file system. */
export function compact(database: Database): void {
  try {
    const newest = newestVector(database);
    database.exec('VACUUM');
    writeMeta(database, PACKED, String(newest));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process writes, or the disk is full: the file stays as it is, and the next run tries again.
  }
}

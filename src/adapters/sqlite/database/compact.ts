import type { Database } from './open-database.ts';

/** Unused pages that are worth a rewrite of the file: this many, and this share of it. A page takes 4 KB. */
const MANY_PAGES = 256;
const MANY_SHARE = 0.1;
/** Writers wait while the file is rewritten, some seconds for this many pages. */
const MAX_PAGES = 250_000;

/** Whether a tenth of the file is unused, as after the first index, which merges segments of words again and again. */
export function isLoose(database: Database): boolean {
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const unused = pragma('freelist_count');
  if (unused < MANY_PAGES) return false;
  const pages = pragma('page_count');
  return pages <= MAX_PAGES && unused > MANY_SHARE * pages;
}

/** Gives unused pages back to the file system. */
export function compact(database: Database): void {
  try {
    database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process writes, or the disk is full: the file stays as it is, and the next run tries again.
  }
}

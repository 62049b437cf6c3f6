import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode } from './has-code.ts';

/** Replaces a small file atomically: readers see the old one or the new one. */
export function replaceFile(path: string, text: string): void {
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    // What stands there is left from a crash, or is a link that somebody else put into a folder that both may write.
    rmSync(aside, { force: true });
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/**
 * Gives a finished file its final name. Unlike a rename, a link never overwrites a file that has just appeared.
 * @throws EEXIST if there is one
 */
export function putNewFile(aside: string, path: string): void {
  try {
    linkSync(aside, path);
    rmSync(aside, { force: true });
  } catch (error) {
    // Some file systems have no links; Windows then reports EISDIR.
    const hasNoLinks = hasCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EISDIR', 'EINVAL');
    if (!hasNoLinks || existsSync(path)) throw error;
    renameSync(aside, path);
  }
}

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Replaces a small file atomically: readers see the old one or the new one. */
export function replaceFile(path: string, text: string): void {
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

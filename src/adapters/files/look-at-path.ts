import { accessSync, closeSync, constants, readSync, type Stats, statSync } from 'node:fs';
import { leadingNuls, openRegular } from '../system/regular-file.ts';

/**
 * For paths from a transcript. Undefined if the path is missing, below a file, inaccessible, or not a valid path at all.
 */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether a program can be started in the folder. */
export function canEnter(folder: string): boolean {
  if (folder === '' || statOf(folder)?.isDirectory() !== true) return false;
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The beginning of a regular file, after the NUL bytes that a power loss left there; empty for anything else, because reading a pipe or
 * a device might never end.
 */
export function readRegularFile(path: string, maxBytes = Number.MAX_SAFE_INTEGER): string {
  let file: number | null = null;
  try {
    const opened = openRegular(path);
    file = opened.file;
    const buffer = Buffer.alloc(Math.min(opened.stat.size, maxBytes));
    for (let at = 0, nuls = 0; ; at += nuls) {
      const read = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, at));
      nuls = leadingNuls(read);
      if (nuls === 0) return read.toString('utf8');
    }
  } catch {
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}

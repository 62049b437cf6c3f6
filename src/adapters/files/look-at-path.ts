import { accessSync, closeSync, constants, readSync, type Stats, statSync } from 'node:fs';
import { openRegular } from '../system/regular-file.ts';

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

/** The beginning of a regular file; empty for anything else, because reading a pipe or a device might never end. */
export function readRegularFile(path: string, maxBytes = Number.MAX_SAFE_INTEGER): string {
  let file: number | null = null;
  try {
    const opened = openRegular(path);
    file = opened.file;
    const { stat } = opened;
    const buffer = Buffer.alloc(Math.min(stat.size, maxBytes));
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}

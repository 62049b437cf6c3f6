import { type Dirent, readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { errorText } from '../../domain/errors.ts';
import type { OnProblem } from '../../ports/transcript-source.ts';
import { hasCode } from '../system/has-code.ts';

/** A folder's entries; none if the folder is missing or unreadable. Reports only an unreadable one. */
export function listFolder(folder: string, onProblem?: OnProblem): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) onProblem?.(folder, errorText(error));
    return [];
  }
}

/** The paths of all files below a folder. */
export function listFiles(folder: string, onProblem?: OnProblem): string[] {
  return listFolder(folder, onProblem).flatMap((entry) => {
    // Not `join`, which takes as long as the listing itself.
    const path = `${folder}${sep}${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, onProblem);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
}

import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
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

/** The paths of all files below a folder, also behind links. */
export function listFiles(folder: string, onProblem?: OnProblem, above: string[] = []): string[] {
  return listFolder(folder, onProblem).flatMap((entry) => {
    // Not `join`, which takes as long as the listing itself.
    const path = `${folder}${sep}${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, onProblem, above);
    if (entry.isFile()) return [path];
    const target = entry.isSymbolicLink() ? folderBehind(path) : null;
    if (target === null) return entry.isSymbolicLink() ? [path] : [];
    // A link may lead back to a folder that is being listed.
    const isBack = [...above, realpathSync(folder)].some((one) =>
      `${one}${sep}`.startsWith(`${target}${sep}`),
    );
    return isBack ? [] : listFiles(path, onProblem, [...above, target]);
  });
}

/** The folder that a link leads to; null if it leads elsewhere. */
function folderBehind(link: string): string | null {
  try {
    return statSync(link).isDirectory() ? realpathSync(link) : null;
  } catch {
    // It leads nowhere.
    return null;
  }
}

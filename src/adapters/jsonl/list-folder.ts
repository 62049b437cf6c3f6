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

/** The paths of all files below a folder, also behind links. A folder that several links lead to is listed once. */
export function listFiles(folder: string, onProblem?: OnProblem): string[] {
  const root = folderBehind(folder) ?? folder;
  const listed = new Set<string>();
  const files: string[] = [];
  // Links come after everything that is here itself.
  const links = [{ path: folder, real: root }];
  const list = (path: string, real: string) => {
    if (listed.has(real)) return;
    listed.add(real);
    for (const entry of listFolder(path, onProblem)) {
      // Not `join`, which takes as long as the listing itself.
      const at = `${path}${sep}${entry.name}`;
      if (entry.isDirectory()) list(at, `${real}${sep}${entry.name}`);
      else if (entry.isFile()) files.push(at);
      else if (entry.isSymbolicLink()) {
        const target = folderBehind(at);
        if (target === null) files.push(at);
        // Above the folder is what is not the agent's, up to the whole disk.
        else if (!isAbove(target, root) && !isAbove(target, real)) links.push({ path: at, real: target });
      }
    }
  };
  for (const { path, real } of links) list(path, real);
  return files;
}

function isAbove(folder: string, other: string): boolean {
  return other.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
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

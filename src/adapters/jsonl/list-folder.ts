import { type Dirent, readdirSync } from 'node:fs';
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

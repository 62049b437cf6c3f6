import { type Dirent, readdirSync } from 'node:fs';
import { errorText } from '../../domain/errors.ts';

export type OnProblem = (path: string, reason: string) => void;

/** A folder's entries; none if the folder is missing or unreadable. Reports only an unreadable one. */
export function listFolder(folder: string, onProblem?: OnProblem): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isAbsent(error)) onProblem?.(folder, errorText(error));
    return [];
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

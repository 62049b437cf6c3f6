import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { EXPORT_MARK } from '../../domain/export/export-text.ts';
import { REGISTRY, REGISTRY_MARK } from '../../domain/export/registry-text.ts';
import type { ExportFolder } from '../../ports/machine.ts';
import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { hasCode } from '../system/has-code.ts';
import { makeFolder } from '../system/make-folder.ts';
import { replaceFile } from '../system/replace-file.ts';

export function createExportFolder(path: string): ExportFolder {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw notExported(path, error);
    }
  };
  return {
    path,
    list: () => guard(() => markdownFiles(path).filter((name) => isOurs(join(path, name)))),
    startsWith: (name, text) => readRegularFile(join(path, name), Buffer.byteLength(text)) === text,
    write: (name, text) =>
      guard(() => {
        const file = join(path, name);
        if (statOf(file) !== undefined && !isOurs(file)) return false;
        makeFolder(dirname(file));
        replaceFile(file, text);
        return true;
      }),
    remove: (name) => guard(() => rmSync(join(path, name), { force: true })),
  };
}

/** Deletes a folder's exported files, then the folders that this leaves empty. */
export function purgeExported(path: string): void {
  const folder = createExportFolder(path);
  for (const name of folder.list()) folder.remove(name);
  if (isOurs(join(path, REGISTRY))) folder.remove(REGISTRY);
  for (const name of [...entries(path).map((entry) => join(path, entry.name)), path])
    if (isFolder(name) && readdirSync(name).length === 0) rmdirSync(name);
}

/** Not a link to one, which is the user's. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Markdown files one folder deep, as `claude/8402b1ed.md`. */
function markdownFiles(path: string): string[] {
  return entries(path)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: folder }) =>
      entries(join(path, folder))
        .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
        .map(({ name }) => `${folder}/${name}`),
    );
}

function entries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function isOurs(file: string): boolean {
  return [EXPORT_MARK, REGISTRY_MARK].some((mark) => readRegularFile(file, mark.length) === mark);
}

function notExported(path: string, error: unknown): SmartForkError {
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot export to ${path}: ${errorText(error)}`, {
    hint: 'Make the folder writable, or choose another one: --to FOLDER.',
    cause: error,
  });
}

import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { SettingsFiles } from '../../ports/agent-settings.ts';

/** The agents' settings on this machine's disk. */
export function createSettingsFiles(now: () => number): SettingsFiles {
  return {
    read: (path) => guarded(path, 'read', () => readText(path)),
    write: (path, text) =>
      guarded(path, 'written', () => (text === null ? rmSync(target(path)) : replace(path, text))),
    backUp: (path) => guarded(path, 'copied', () => backUp(path, now())),
    delete: (path) => guarded(path, 'deleted', () => rmSync(path, { force: true })),
    missingFolders: (path) => missingFolders(path, existsSync),
    removeEmpty: (folders) => {
      for (const folder of folders) guarded(folder, 'deleted', () => removeIfEmpty(folder));
    },
  };
}

function readText(path: string): string | null {
  if (!isThere(path)) return null;
  // Opening a pipe would wait for its writer.
  if (!statSync(path).isFile()) throw new Error('it is not a file');
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error('it is not UTF-8');
  return text;
}

/** Atomic: writes a temporary file and renames it, so that an agent never reads half a file. */
function replace(path: string, text: string): void {
  const file = target(path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const mode = existsSync(file) ? statSync(file).mode & 0o7777 : 0o600;
  const aside = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(aside, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    chmodSync(aside, mode);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

export function missingFolders(path: string, exists: (folder: string) => boolean): string[] {
  const folders: string[] = [];
  // The root of a drive that does not exist is missing, too, and its parent is itself.
  for (let folder = dirname(path); !exists(folder) && folder !== dirname(folder); folder = dirname(folder))
    folders.push(folder);
  return folders;
}

function backUp(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count += 1) {
    const copy = `${path}.${stamp}${count === 1 ? '' : `-${count}`}.bak`;
    if (existsSync(copy)) continue;
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o600);
    return copy;
  }
}

/** The file behind a path, with links resolved. Throws for a dangling link: its purpose is unknown. */
function target(path: string): string {
  return isThere(path) ? realpathSync(path) : path;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function guarded<T>(path: string, done: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SmartForkError('CONFIG_INVALID', `${path} cannot be ${done}: ${errorText(error)}`, {
      hint: 'The file was not changed. Fix it and run the command again, or edit it by hand: docs/hooks.md shows how.',
      cause: error,
    });
  }
}

import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { PresentFile, TranscriptFiles } from '../../ports/machine.ts';
import { hasCode } from './has-code.ts';
import { isProcessAlive } from './is-process-alive.ts';
import { makeFolder } from './make-folder.ts';
import { putNewFile } from './replace-file.ts';

/** @param borrowed the parent of temporary folders. */
export function createTranscriptFiles(borrowed: string): TranscriptFiles {
  return {
    look,
    write: writeTranscript,
    async borrowFolder(work) {
      const folder = makeBorrowed(borrowed);
      try {
        return await work(folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    removeAbandoned(path) {
      const folder = path === undefined ? borrowed : dirname(path);
      if (look(folder) !== null) removeAbandoned(folder, path === undefined ? BORROWED : RESTORING);
    },
    remove: (path) => rmSync(path, { force: true }),
  };
}

const BORROWED = /^(\d+)-/;
const RESTORING = /^\..*\.(\d+)\.restoring$/;

function makeBorrowed(borrowed: string): string {
  try {
    makeFolder(borrowed);
    removeAbandoned(borrowed, BORROWED);
    return mkdtempSync(join(borrowed, `${process.pid}-`));
  } catch (error) {
    const message = `cannot write to ${borrowed}: ${errorText(error)}`;
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', message, {
      hint: 'Make the folder writable, or set SMART_FORK_HOME to another folder.',
      cause: error,
    });
  }
}

function look(path: string): PresentFile | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : { size: stat.size, mtimeMs: stat.mtimeMs };
}

async function writeTranscript(
  path: string,
  parts: AsyncIterable<Uint8Array>,
  replaces: PresentFile | null,
): Promise<void> {
  const folder = dirname(path);
  // A file system allows names of 255 bytes.
  const aside = join(folder, `.${basename(path).slice(0, 60)}.${process.pid}.restoring`);
  try {
    makeFolder(folder);
    removeAbandoned(folder, RESTORING);
    await fill(aside, parts);
    putInPlace(aside, path, replaces);
  } catch (error) {
    discard(aside);
    throw error instanceof SmartForkError ? error : notWritten(path, error);
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing to remove, because its folder is a file. The caller reports the first error.
  }
}

async function fill(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for await (const part of parts) await file.writeFile(part);
    await file.datasync();
  } finally {
    await file.close();
  }
}

function putInPlace(aside: string, path: string, replaces: PresentFile | null): void {
  const there = look(path);
  if (there?.size !== replaces?.size || there?.mtimeMs !== replaces?.mtimeMs) throw changed(path);
  if (replaces !== null) {
    renameSync(aside, path);
    return;
  }
  try {
    putNewFile(aside, path);
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? changed(path, error) : error;
  }
}

/** Removes files of processes killed while writing. The number in a name is the process id. */
function removeAbandoned(folder: string, pattern: RegExp): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(pattern.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isProcessAlive(pid))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function changed(path: string, cause?: unknown): SmartForkError {
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `another program has changed ${path}`, {
    hint: 'smart-fork changed nothing. Run the command again.',
    cause,
  });
}

function notWritten(path: string, error: unknown): SmartForkError {
  const full = hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG');
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${path}: ${errorText(error)}`, {
    hint: full
      ? 'Free some disk space and run the command again. Nothing was left behind.'
      : 'Make the folder writable, or choose another one: --to DIR.',
    cause: error,
  });
}

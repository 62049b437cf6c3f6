import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';

/**
 * Writes a new transcript: `write` gets an open file, which has its name once all of it is on the disk. Only the user can read it.
 * On a full disk `writeSync` may write a part without an error; `writeFileSync` writes all or throws.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export function writeAtomically(target: string, write: (file: number) => void): string {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const file = openSync(temporary, 'wx', 0o600);
    try {
      write(file);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
    return target;
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof SmartForkError) throw error;
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${target}: ${errorText(error)}`, {
      hint: 'Check that the folder is writable and the disk is not full.',
      cause: error,
    });
  }
}

/** Writes a new transcript from one text. */
export function writeText(target: string, text: string): string {
  return writeAtomically(target, (file) => writeFileSync(file, text));
}

/** Writes a new transcript, a record a line. */
export function writeRows(target: string, rows: object[]): string {
  return writeText(target, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

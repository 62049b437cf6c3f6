import { closeSync, readSync } from 'node:fs';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { openRegular, readRegularText } from '../system/regular-file.ts';

export interface OpenFile {
  /** Size in bytes when the file was opened. */
  readonly size: number;
  /** Fills the buffer from a byte offset on; returns the number of bytes read, 0 at the end of the file. */
  read(buffer: Buffer, position: number): number;
  close(): void;
}

/**
 * The text of a transcript that is read whole, without a byte order mark and the NUL bytes that a power loss leaves at either end.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export function readText(path: string): string {
  try {
    return withoutEnds(readRegularText(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function withoutEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\0' || text[start] === '\ufeff') start += 1;
  while (end > start && text[end - 1] === '\0') end -= 1;
  return text.slice(start, end);
}

/** @throws SmartForkError TRANSCRIPT_UNREADABLE, here and if a read fails. */
export function openFile(path: string): OpenFile {
  try {
    const { file, stat } = openRegular(path);
    return {
      size: stat.size,
      read(buffer, position) {
        try {
          return readSync(file, buffer, 0, buffer.length, position);
        } catch (error) {
          throw unreadable(path, error);
        }
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Reads `length` bytes from an offset on, or fewer at the end of the file. */
export function readBytes(path: string, from: number, length: number): Buffer {
  const file = openFile(path);
  try {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, file.read(buffer, from));
  } finally {
    file.close();
  }
}

export function unreadable(path: string, cause: unknown): SmartForkError {
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: ${errorText(cause)}`, {
    hint: 'Check that the file exists and is readable.',
    cause,
  });
}

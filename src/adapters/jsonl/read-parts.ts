import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorText, SmartForkError } from '../../domain/errors.ts';

const PART_BYTES = 1024 * 1024;

/** See `TranscriptSource.readParts`. Each part is a buffer of its own. */
export function* readParts(path: string, from: number): Generator<Buffer> {
  const file = open(path);
  try {
    // What is written meanwhile is the next reader's.
    const { size } = fstatSync(file);
    for (let at = from * PART_BYTES; at < size; at += PART_BYTES) {
      const part = readAt(file, path, at, Math.min(PART_BYTES, size - at));
      yield part;
      if (part.length < PART_BYTES) return;
    }
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readAt(file: number, path: string, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let held = 0;
  try {
    while (held < length) {
      const read = readSync(file, buffer, held, length - held, offset + held);
      if (read === 0) break;
      held += read;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  return buffer.subarray(0, held);
}

function unreadable(path: string, cause: unknown): SmartForkError {
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: ${errorText(cause)}`, {
    hint: 'Check that the file exists and that you may read it.',
    cause,
  });
}

import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../../domain/is-record.ts';
import { readRegularText } from '../system/regular-file.ts';

const MAX_BYTES = 500_000;

/** JSON lines in a file and in the one before it, each of half a megabyte. Never throws. */
interface LineLog {
  add(record: object): void;
  /** Oldest first. */
  read(): Record<string, unknown>[];
}

export function createLineLog(path: string): LineLog {
  const older = path.replace(/\.log$/, '.1.log');
  return {
    add(record) {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const stat = statSync(path, { throwIfNoEntry: false });
        // Opening a pipe would wait for its reader.
        if (stat?.isFile() === false) return;
        if (stat !== undefined && stat.size > MAX_BYTES) renameSync(path, older);
        appendFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      } catch {
        // What is logged must not fail because of a read-only home.
      }
    },
    read: () => [older, path].flatMap(readLines),
  };
}

function readLines(path: string): Record<string, unknown>[] {
  try {
    return existsSync(path) ? readRegularText(path).split('\n').flatMap(recordIn) : [];
  } catch {
    return [];
  }
}

function recordIn(line: string): Record<string, unknown>[] {
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) ? [record] : [];
  } catch {
    // Half a line, written while the machine stopped.
    return [];
  }
}

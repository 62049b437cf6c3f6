import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../system/is-process-alive.ts';
import { makeFolder } from '../system/make-folder.ts';
import { readRegularText } from '../system/regular-file.ts';
import { replaceFile } from '../system/replace-file.ts';

/** The address of this machine's server. */
export interface ServerRecord {
  pid: number;
  url: string;
  /** The file with its token. */
  token_file: string;
  /** ISO 8601 UTC. */
  since: string;
}

/** The running server; null if there is none. */
export function readServerRecord(home: string): ServerRecord | null {
  try {
    const { pid, url, token_file, since } = JSON.parse(readRegularText(pathIn(home)));
    const isRecord = Number.isSafeInteger(pid) && [url, token_file, since].every(isText) && URL.canParse(url);
    return isRecord && isProcessAlive(pid) ? { pid, url, token_file, since } : null;
  } catch {
    // No server has run yet, or another program wrote the file.
    return null;
  }
}

export function writeServerRecord(home: string, known: ServerRecord): void {
  makeFolder(home);
  replaceFile(pathIn(home), `${JSON.stringify(known)}\n`);
}

/** Removes the record only if it is this process's. */
export function removeServerRecord(home: string, pid: number): void {
  if (readServerRecord(home)?.pid === pid) rmSync(pathIn(home), { force: true });
}

function pathIn(home: string): string {
  return join(home, 'serve.json');
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

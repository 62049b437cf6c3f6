import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for one test, deleted when the test ends. Its path has no links in it. */
export function tempFolder(name = 'test', parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, `smart-fork-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The same in memory where the system has such a place: for tests that write thousands of files. */
export function memoryFolder(name: string): string {
  return tempFolder(name, existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

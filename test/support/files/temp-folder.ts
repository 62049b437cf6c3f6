import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder for one test, deleted when the test ends. Its path has no symbolic links. */
export function tempFolder(name = 'test', parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, `smart-fork-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The same in memory if the system supports it, for tests that write thousands of files. */
export function memoryFolder(name: string): string {
  return tempFolder(name, existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

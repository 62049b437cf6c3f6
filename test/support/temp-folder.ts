import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for one test, deleted when the test ends. Its path has no links in it. */
export function tempFolder(name = 'test'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `smart-fork-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

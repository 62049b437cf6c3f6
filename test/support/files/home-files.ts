import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../machines/world.ts';
import { releaseDatabases } from '../stores/release-databases.ts';

/**
 * smart-fork's files whose raw bytes contain a word: SQLite keeps deleted rows and logs in its files. Closing a file drops this
 * process's locks on it, so its databases are closed first; others would otherwise consider them unused and remove their logs.
 */
export async function filesWith(world: World, word: string): Promise<string[]> {
  await releaseDatabases();
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => readFileSync(path).includes(word))
    .map((path) => path.slice(world.home.length + 1));
}

/** This machine's archived copies of a session. */
export function copiesOf(world: World, sessionId: string): string[] {
  const folder = join(world.home, 'archive');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.includes(sessionId));
}

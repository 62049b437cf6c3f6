import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../machines/world.ts';

/** Files of smart-fork's that hold a word: what SQLite has deleted, and what it logs, are bytes of its files too. */
export function filesWith(world: World, word: string): string[] {
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => readFileSync(path).includes(word))
    .map((path) => path.slice(world.home.length + 1));
}

/** What the archive of this machine has of a session. */
export function copiesOf(world: World, sessionId: string): string[] {
  const folder = join(world.home, 'archive');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.includes(sessionId));
}

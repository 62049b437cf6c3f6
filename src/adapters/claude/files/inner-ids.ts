import type { Stats } from 'node:fs';
import { readRegularFile } from '../../files/look-at-path.ts';

/** The session that the lines of a transcript name; null if they name none. */
export type InnerIds = (path: string, stat: Stats) => string | null;

/** Remembers the id until the file changes. */
export function createInnerIds(): InnerIds {
  const known = new Map<string, { stamp: string; id: string | null }>();
  return (path, stat) => {
    const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.id;
    const id = ID_INSIDE.exec(readRegularFile(path, FIRST_BYTES))?.[1] ?? null;
    known.set(path, { stamp, id });
    return id;
  };
}

/** Whether a transcript's name is its session's id, or the id of another machine's copy. */
export function isSessionName(name: string): boolean {
  return SESSION_NAME.test(name);
}

const ID_INSIDE =
  /"sessionId"\s{0,9}:\s{0,9}"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"/;
const SESSION_NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:@.+)?$/i;
const FIRST_BYTES = 16 * 1024;

import type { Stats } from 'node:fs';
import { readLines } from '../../jsonl/read-lines.ts';

/** The session that the lines of a transcript name; null if they name none. */
type InnerIds = (path: string, stat: Stats) => string | null;

/** Remembers the id until the file changes. */
export function createInnerIds(): InnerIds {
  const known = new Map<string, { stamp: string; id: string | null }>();
  return (path, stat) => {
    const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.id;
    const inside = sessionInside(path);
    const id = inside !== null && UUID.test(inside) ? inside : null;
    known.set(path, { stamp, id });
    return id;
  };
}

/** The session that the first lines of a file name; null if they name none. In a line, it may follow a message of any length. */
export function sessionInside(path: string): string | null {
  let found: string | null = null;
  try {
    readLines(path, 0, 0, (line, _number, offset) => {
      found = ID_INSIDE.exec(line.toString('latin1'))?.[1] ?? null;
      return found === null && offset < FIRST_BYTES;
    });
  } catch {
    // Unreadable.
  }
  return found;
}

/** Whether a transcript's name is its session's id, or the id of another machine's copy. */
export function isSessionName(name: string): boolean {
  return SESSION_NAME.test(name);
}

const ID_INSIDE = /"sessionId"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SESSION_NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:@.+)?$/i;
const FIRST_BYTES = 16 * 1024;

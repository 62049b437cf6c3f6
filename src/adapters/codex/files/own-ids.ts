import type { Stats } from 'node:fs';
import { readMeta } from '../transcript/read-head.ts';

/** The session id in a transcript's first line; null if it is not one of Codex's. */
export type OwnIds = (path: string, stats: Stats) => string | null;

/** Enough for the transcripts that come up in searches again and again. */
const MAX_FILES = 5000;

/** Caches each file's id until the file changes: every search result needs it, and the first line also contains the agent's instructions. */
export function createOwnIds(): OwnIds {
  const known = new Map<string, { stamp: string; id: string | null }>();
  return (path, stats) => {
    const stamp = `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.id;
    const id = readMeta(path)?.id ?? null;
    if (known.size >= MAX_FILES) known.clear();
    known.set(path, { stamp, id });
    return id;
  };
}

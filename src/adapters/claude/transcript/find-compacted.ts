import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFolder } from '../../jsonl/list-folder.ts';
import { readBytes } from '../../jsonl/open-file.ts';

/**
 * A fork of a compacted session begins with the compaction, which stands in the middle of its parent: the transcript beside it that
 * contains this message and began before it. Null if there is none.
 */
export function findCompacted(path: string, { line, uuid }: { line: string; uuid: string }): string | null {
  const since = Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? '');
  const id = Buffer.from(`"uuid":"${uuid}"`);
  for (const { name } of listFolder(dirname(path))) {
    const other = join(dirname(path), name);
    if (other === path || !name.endsWith('.jsonl')) continue;
    const stats = statSync(other, { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs >= since && hasInside(other, stats.size, id)) return other;
  }
  return null;
}

/** Whether a file contains the bytes, but not in the lines with which a fork of a compacted session begins. */
function hasInside(path: string, size: number, bytes: Buffer): boolean {
  for (let at = 0; at < size; at += WINDOW_BYTES) {
    const window = readBytes(path, at, WINDOW_BYTES + bytes.length);
    const found = window.indexOf(bytes);
    if (found >= 0) return at > 0 || window.subarray(0, found).includes('"uuid":"');
  }
  return false;
}

const WINDOW_BYTES = 4 * 1024 * 1024;

import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { statOf } from '../../files/look-at-path.ts';
import { listFolder } from '../../jsonl/list-folder.ts';
import { readLines } from '../../jsonl/read-lines.ts';

/**
 * A fork of a compacted session begins with the compaction, which stands in the middle of its parent: the transcript beside it that
 * contains this message and began before it. Null if there is none.
 */
export function findCompacted(path: string, { line, uuid }: { line: string; uuid: string }): string | null {
  const since = Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? '');
  const folder = dirname(path);
  for (const { name } of listFolder(folder)) {
    const other = join(folder, name);
    const stats = name.endsWith('.jsonl') && other !== path ? statOf(other) : undefined;
    if (stats?.isFile() !== true || stats.mtimeMs < since) continue;
    if (compactionsIn(other, stats).has(uuid)) return other;
  }
  return null;
}

/** Of files that were searched, so that the forks in a folder do not search it again each. */
const searched = new Map<string, { mark: string; ids: Set<string> }>();

/** The ids of the compactions in a transcript. In another fork, it is the first message, which does not count. */
function compactionsIn(path: string, { size, mtimeMs }: Stats): Set<string> {
  const mark = `${size} ${mtimeMs}`;
  const before = searched.get(path);
  if (before?.mark === mark) return before.ids;
  const ids = new Set<string>();
  let isFirst = true;
  try {
    readLines(path, 0, 0, (line) => {
      if (!isFirst && line.includes(COMPACTION)) {
        const id = ID.exec(line.toString('latin1'))?.[1];
        if (id !== undefined) ids.add(id);
      }
      isFirst &&= !line.includes('"uuid":"');
      return true;
    });
  } catch {
    // An unreadable transcript is reported where it is read itself.
  }
  searched.set(path, { mark, ids });
  return ids;
}

const COMPACTION = Buffer.from('"compact_boundary"');
const ID = /"uuid":"([0-9a-f-]{36})"/;

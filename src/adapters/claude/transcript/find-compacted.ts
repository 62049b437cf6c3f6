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
  const folder = dirname(path);
  for (const { name } of listFolder(folder)) {
    const other = join(folder, name);
    const stats = name.endsWith('.jsonl') ? statSync(other, { throwIfNoEntry: false }) : undefined;
    if (other === path || stats === undefined || stats.mtimeMs < since) continue;
    const bytes = readBytes(other, 0, stats.size);
    // In another fork, it is the first message.
    if (bytes.indexOf(`"uuid":"${uuid}"`) > bytes.indexOf('"uuid":"')) return other;
  }
  return null;
}

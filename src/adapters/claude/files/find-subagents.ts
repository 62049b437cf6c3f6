import { basename, dirname, join } from 'node:path';
import type { SubagentFile, TranscriptFile } from '../../../ports/transcript-source.ts';
import { statOf } from '../../files/look-at-path.ts';
import { listFolder } from '../../jsonl/list-folder.ts';

/** Size limit for a session's subagents, newest first: about ten ordinary sessions. */
const MAX_BYTES = 5 * 1024 * 1024;

/** `<project>/<session>/subagents/[<folder>/]agent-<id>.jsonl` */
export function withSubagents(file: TranscriptFile): TranscriptFile {
  const found = allSubagents(file.path);
  if (found.length === 0) return file;
  found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.agentId < b.agentId ? -1 : 1));
  let left = MAX_BYTES;
  const end = found.findIndex(({ size }) => {
    left -= size;
    return left < 0;
  });
  const subagents = end < 0 ? found : found.slice(0, end);
  return {
    ...file,
    mtimeMs: Math.max(file.mtimeMs, found[0]?.mtimeMs ?? 0),
    subagents,
    subagentsLeftOut: end < 0 ? undefined : found.slice(end).map(({ agentId }) => agentId),
  };
}

/** Includes those beyond the size limit, in no particular order. */
export function allSubagents(path: string): SubagentFile[] {
  const folder = subagentFolder(path);
  // Most sessions have no subagents, and this runs for every search result: listing a missing folder takes longer than `stat`.
  if (statOf(folder) === undefined) return [];
  return [folder, ...foldersIn(folder)].flatMap(subagentsIn);
}

export function subagentPath(path: string, agentId: string): string {
  return join(subagentFolder(path), `agent-${agentId}.jsonl`);
}

function subagentFolder(path: string): string {
  return join(dirname(path), basename(path, '.jsonl'), 'subagents');
}

function foldersIn(folder: string): string[] {
  return listFolder(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

function subagentsIn(folder: string): SubagentFile[] {
  return listFolder(folder).flatMap(({ name }) => {
    const agentId = /^agent-([\w-]{1,64})\.jsonl$/.exec(name)?.[1];
    const path = join(folder, name);
    const stat = agentId === undefined ? undefined : statOf(path);
    if (agentId === undefined || stat?.isFile() !== true) return [];
    return [{ agentId, path, size: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino }];
  });
}

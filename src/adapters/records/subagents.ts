import { join } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import { isAgentId } from '../../domain/session/session-id.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { describeFile } from './find-files.ts';
import type { SubagentPlace } from './row-format.ts';

export function subagentsIn(agent: Agent, { folder, prefix }: SubagentPlace): TranscriptFile[] {
  // Most sessions have none: listing a missing folder takes longer than `stat`.
  const entries = statOf(folder) === undefined ? [] : listFolder(folder);
  return entries.flatMap(({ name }) => {
    const id = name.startsWith(prefix) && name.endsWith('.jsonl') ? name.slice(prefix.length, -6) : '';
    return isAgentId(id) ? (describeFile(agent, join(folder, name), id) ?? []) : [];
  });
}

export function subagentFile({ folder, prefix }: SubagentPlace, agentId: string): string {
  return join(folder, `${prefix}${agentId}.jsonl`);
}

/** The files that hold a session's requests. */
export function filesOf({ path, size, inode, subagents = [] }: TranscriptFile) {
  return [{ path, size, inode }, ...subagents].map((file) => ({
    path: file.path,
    size: file.size,
    inode: file.inode,
  }));
}

/** A session's file with those of its subagents, whose changes are also its own. */
export function withSubagents(file: TranscriptFile, startedBy: TranscriptFile[]): TranscriptFile {
  if (startedBy.length === 0) return file;
  const subagents = startedBy.map(({ sessionId: agentId, path, size, mtimeMs, inode, revision }) => ({
    agentId,
    path,
    size,
    mtimeMs,
    inode,
    revision,
  }));
  return { ...file, subagents, mtimeMs: Math.max(file.mtimeMs, ...subagents.map((one) => one.mtimeMs)) };
}

import type { TranscriptFile } from '../../ports/transcript-source.ts';

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

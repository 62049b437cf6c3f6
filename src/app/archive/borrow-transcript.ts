import { join } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import type { TranscriptFiles } from '../../ports/machine.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { fromArchives } from './read-archives.ts';
import { restoreSubagents } from './restore-subagents.ts';

export interface BorrowDependencies {
  archives: ArchiveReader[];
  transcripts: TranscriptFiles;
}

/**
 * Reads an archived transcript through a temporary file, without touching the agent's folders. Null if no archive has the session.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export async function borrowTranscript<T>(
  { archives, transcripts }: BorrowDependencies,
  source: TranscriptSource,
  session: { session_id: string; agent: Agent },
  work: (copy: TranscriptFile, parents: TranscriptFile[]) => Promise<T>,
): Promise<T | null> {
  const { bytes } = source;
  if (bytes === undefined || !archives.some((archive) => archive.mayHold(session))) return null;
  return transcripts.borrowFolder(async (folder) => {
    const copyOf = (sessionId: string) =>
      fromArchives(archives, sessionId, async (_, read) => {
        const path = join(folder, bytes.copyName(sessionId));
        await transcripts.write(path, read(), null);
        return source.inspect(path);
      });
    const copy = await copyOf(session.session_id);
    if (copy === null) return null;
    await restoreSubagents({ archives, transcripts }, source, session.session_id, copy.path, folder);
    return work(source.inspect(copy.path) ?? copy, await parentsOf(source, copy, copyOf));
  });
}

/** The archived parents of a fork that contains no copy of their lines, unless they are on this machine. */
async function parentsOf(
  source: TranscriptSource,
  copy: TranscriptFile,
  copyOf: (sessionId: string) => Promise<TranscriptFile | null>,
): Promise<TranscriptFile[]> {
  const parents: TranscriptFile[] = [];
  if (source.readInherited === undefined) return parents;
  for (const tried = new Set([copy.sessionId]); ; ) {
    const missingParents = source.readInherited(copy, [...source.find(), ...parents], () => undefined);
    const next = missingParents.find((id) => !tried.has(id));
    if (next === undefined) return parents;
    tried.add(next);
    const parent = await copyOf(next);
    if (parent !== null) parents.push(parent);
  }
}

import { join } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import type { PresentFile, TranscriptFiles } from '../../ports/machine.ts';
import type { AgentThreads, TranscriptSource } from '../../ports/transcript-source.ts';

export interface PutDependencies {
  transcripts: TranscriptFiles;
  /** Agents whose own programs create sessions; absent if all are written as files, in a temporary folder. */
  threads?: Threads;
}

export type Threads = Partial<Record<Agent, AgentThreads>>;

interface Place {
  /** The id under which the agent finds the session. */
  sessionId: string;
  path: string;
  /** The folder in which the session will be continued. */
  directory: string;
}

/**
 * Puts a transcript's bytes where the agent finds them: as a file, or into its database with its own program.
 * @param replaces the file to overwrite
 */
export async function putTranscript(
  { transcripts, threads }: PutDependencies,
  source: TranscriptSource,
  { sessionId, path, directory }: Place,
  bytes: AsyncIterable<Uint8Array>,
  replaces: PresentFile | null,
): Promise<void> {
  const restores = threads?.[source.agent]?.restores;
  if (restores === undefined) return transcripts.write(path, bytes, replaces);
  await transcripts.borrowFolder(async (folder) => {
    const copy = join(folder, source.bytes?.copyName(sessionId) ?? sessionId);
    await transcripts.write(copy, bytes, null);
    await restores.restore(copy, path, directory);
  });
}

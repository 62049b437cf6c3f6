import { join } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import type { PresentFile, TranscriptFiles } from '../../ports/machine.ts';
import type { AgentThreads, TranscriptPart, TranscriptSource } from '../../ports/transcript-source.ts';

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
 * @returns its files, if they are several; the last one is the transcript's reference
 */
export async function putTranscript(
  { transcripts, threads }: PutDependencies,
  source: TranscriptSource,
  { sessionId, path, directory }: Place,
  read: () => AsyncIterable<Uint8Array>,
  replaces: PresentFile | null,
): Promise<string[]> {
  const restores = threads?.[source.agent]?.restores;
  const parts = restores === undefined ? ((await source.bytes?.split?.(path, read())) ?? []) : [];
  if (parts.length > 1) {
    await putParts(transcripts, parts, read);
    return parts.map((part) => part.path);
  }
  if (restores === undefined) {
    await transcripts.write(path, read(), replaces);
    return [];
  }
  await transcripts.borrowFolder(async (folder) => {
    const copy = join(folder, source.bytes?.copyName(sessionId) ?? sessionId);
    await transcripts.write(copy, read(), null);
    await restores.restore(copy, path, directory);
  });
  return [];
}

/** A file that is there holds the beginning of its part, or all of it compressed. */
async function putParts(
  transcripts: TranscriptFiles,
  parts: TranscriptPart[],
  read: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  for (const { path, from, to } of parts) {
    const present = transcripts.look(path);
    const isWhole = present !== null && (present.size === to - from || !path.endsWith('.jsonl'));
    if (!isWhole) await transcripts.write(path, slice(read(), from, to), present);
  }
}

async function* slice(bytes: AsyncIterable<Uint8Array>, from: number, to: number): AsyncIterable<Uint8Array> {
  let at = 0;
  for await (const part of bytes) {
    yield part.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += part.length;
  }
}

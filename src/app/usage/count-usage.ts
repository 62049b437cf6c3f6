import { setImmediate } from 'node:timers/promises';
import { SmartForkError } from '../../domain/errors.ts';
import type { RequestUsage } from '../../domain/usage/usage.ts';
import { eachSession, type PointStore } from '../../ports/point-store.ts';
import type { TranscriptFile, TranscriptSource, TranscriptUsage } from '../../ports/transcript-source.ts';
import type { UsageFile, UsageRecords } from '../../ports/usage/usage-records.ts';

export interface CountDependencies {
  sources: TranscriptSource[];
  /** This machine's store. Only indexed sessions are counted, so excluded and forgotten ones are not. */
  store: Pick<PointStore, 'list'>;
  state: UsageRecords;
}

/**
 * Counts what was added to transcripts since the last count. The oldest come first, so that a request copied by a fork belongs to the
 * older session. Returns the number of files read. A file that cannot be read is tried again next time.
 */
export async function countUsage(
  { sources, store, state }: CountDependencies,
  signal?: AbortSignal,
): Promise<number> {
  const indexed = new Set<string>();
  for await (const { session_id } of eachSession(store)) indexed.add(session_id);
  const known = state.countedFiles();
  const isNew = ({ path, size, inode }: UsageFile) => {
    const counted = known.get(path);
    return counted === undefined || counted.size !== size || counted.inode !== inode;
  };
  let read = 0;
  for (const { usage, file } of transcripts(sources)) {
    if (!indexed.has(file.sessionId)) continue;
    for (const part of usage.files(file).filter(isNew)) {
      if (signal?.aborted === true) return read;
      const counted = known.get(part.path);
      const goesOn = counted?.inode === part.inode && part.size > counted.size;
      const requests: RequestUsage[] = [];
      try {
        const from = goesOn ? counted.position : null;
        const position = usage.read(part.path, from, (request) => requests.push(request));
        state.addUsage({ ...part, sessionId: file.sessionId, position }, requests);
      } catch (error) {
        if (!(error instanceof SmartForkError) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error;
        continue;
      }
      read += 1;
      // Lets a server handle other requests in between.
      await setImmediate();
    }
  }
  return read;
}

function transcripts(sources: TranscriptSource[]): { usage: TranscriptUsage; file: TranscriptFile }[] {
  return sources
    .flatMap(({ usage, find }) => (usage === undefined ? [] : find().map((file) => ({ usage, file }))))
    .filter(({ file }) => file.onlyPrompts !== true)
    .sort((one, other) => one.file.mtimeMs - other.file.mtimeMs);
}

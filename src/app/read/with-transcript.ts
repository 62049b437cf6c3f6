import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { type BorrowDependencies, borrowTranscript } from '../archive/borrow-transcript.ts';
import type { SessionLocation } from '../sessions/locate-session.ts';

/** Where a text comes from: the transcript on this machine, its archived copy, or the stored chunks. */
export type ConversationOrigin = 'transcript' | 'archive' | 'store';

interface TranscriptReading<T> {
  /** Null if no transcript can be read, so that the conversation must come from the store. */
  found: T | null;
  from: ConversationOrigin;
  /** Why the archived copy could not be read. */
  problem: string | null;
}

/** Reads a session's transcript, or its archived copy. */
export async function withTranscript<T>(
  deps: BorrowDependencies & { sources: TranscriptSource[] },
  session: SessionPayload,
  { transcript, restorable }: SessionLocation,
  read: (source: TranscriptSource, path: string, parents: TranscriptFile[]) => Promise<T>,
): Promise<TranscriptReading<T>> {
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  if (source !== undefined && transcript !== null)
    return { found: await read(source, transcript.path, []), from: 'transcript', problem: null };
  const fromStore = { found: null, from: 'store', problem: null } as const;
  if (source === undefined || !restorable) return fromStore;
  try {
    const found = await borrowTranscript(deps, source, session, ({ path }, parents) =>
      read(source, path, parents),
    );
    return found === null ? fromStore : { found, from: 'archive', problem: null };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return { ...fromStore, problem: error.message };
  }
}

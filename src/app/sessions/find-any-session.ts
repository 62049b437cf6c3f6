import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { type DescribeDependencies, describeTranscript } from './describe-transcript.ts';
import { findSession } from './find-session.ts';

interface FindDependencies extends DescribeDependencies {
  /** Throws STORE_UNAVAILABLE where there is none. */
  store: () => Promise<PointStore>;
}

/**
 * The session of an id or unique prefix: from the store, or from a transcript on this machine that is not indexed or whose
 * store is away.
 * @throws SmartForkError as the store did, when there is no such transcript either
 */
export async function findAnySession(deps: FindDependencies, idOrPrefix: string): Promise<SessionPayload> {
  try {
    return await findSession(await deps.store(), idOrPrefix);
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const file = findTranscript(deps.sources, idOrPrefix);
    const session = file === null ? null : await describeTranscript(deps, file);
    if (session === null) throw error;
    return session;
  }
}

const SHORTEST_PREFIX = 6;

/** The transcript on this machine whose session has this id, or alone begins with it. */
export function findTranscript(sources: TranscriptSource[], idOrPrefix: string): TranscriptFile | null {
  const wanted = idOrPrefix.trim().toLowerCase();
  if (wanted.length < SHORTEST_PREFIX) return null;
  const files = sources
    .flatMap((source) => source.find())
    .filter(({ sessionId }) => sessionId.toLowerCase().startsWith(wanted))
    .sort((a, b) => b.size - a.size);
  const ids = new Set(files.map(({ sessionId }) => sessionId));
  const exact = files.find(({ sessionId }) => sessionId.toLowerCase() === wanted);
  return exact ?? (ids.size === 1 ? (files[0] ?? null) : null);
}

import type { Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore, SharedStore } from '../../ports/point-store.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import type { DescribeDependencies } from './describe-transcript.ts';
import { getSession } from './get-session.ts';

const MAX_SHOWN = 5;
const SHORTEST_PREFIX = 6;

/**
 * The indexed session with this id, or the only one whose id begins with it.
 * @throws SmartForkError SESSION_NOT_FOUND, or STORE_UNAVAILABLE if the server might have it
 */
export async function findSession(
  store: PointStore | SharedStore,
  idOrPrefix: string,
): Promise<SessionPayload> {
  const prefix = idOrPrefix.trim();
  const exact = prefix === '' ? null : await getSession(store, prefix);
  if (exact !== null) return exact;
  const found: SessionPayload[] = [];
  // UUIDs may be typed in capitals; other ids contain some.
  for (const one of prefix === '' ? [] : new Set([prefix, prefix.toLowerCase()]))
    if (found.length === 0) found.push(...(await store.findByIdPrefix(one, MAX_SHOWN + 1)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  // Loaded only here, because no search needs it.
  const { ambiguous, missing } = await import('./missing-session.ts');
  if (only === undefined) throw await missing(store, prefix);
  throw ambiguous(
    prefix,
    found.map(({ session_id }) => session_id),
  );
}

/**
 * As `findSession`, except that a session that is not indexed, or whose store is unavailable, is read from its transcript.
 * @param deps `store` throws STORE_UNAVAILABLE if there is none
 * @throws SmartForkError the store's error, if there is no such transcript either
 */
export async function findAnySession(
  deps: DescribeDependencies & { store: () => Promise<PointStore> },
  idOrPrefix: string,
): Promise<SessionPayload> {
  try {
    return await findSession(await deps.store(), idOrPrefix);
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const file = findTranscript(deps.sources, idOrPrefix);
    // Loaded only here, because no search needs it.
    const { describeTranscript } = await import('./describe-transcript.ts');
    const session = file === null ? null : await describeTranscript(deps, file);
    if (session === null) throw error;
    return session;
  }
}

/** This machine's transcript of the session with this id, or of the only session whose id begins with it. */
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

/**
 * As `findSession`, except that an archived session is found even if the index is deleted or damaged.
 * @param deps `store` returns null if there is none
 * @throws SmartForkError SESSION_NOT_FOUND, or the store's error, if the session is not archived either
 */
export async function findArchivedSession(
  deps: { store: () => Promise<PointStore | null>; archives: ArchiveReader[] },
  idOrPrefix: string,
): Promise<{ session_id: string; agent: Agent; machine?: string }> {
  const prefix = idOrPrefix.trim();
  const { ambiguous, notFound } = await import('./missing-session.ts');
  let reason = notFound(prefix);
  try {
    const store = await deps.store();
    if (store !== null) return await findSession(store, prefix);
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    reason = error;
  }
  for (const archive of prefix === '' ? [] : deps.archives) {
    const ids = await archive.findByPrefix(prefix, MAX_SHOWN);
    const exact = ids.find((id) => id.toLowerCase() === prefix.toLowerCase());
    if (exact === undefined && ids.length > 1) throw ambiguous(prefix, ids);
    const id = exact ?? ids[0];
    const archived = id === undefined ? null : await archive.find(id);
    if (archived !== null) return { session_id: archived.sessionId, agent: archived.agent };
  }
  throw reason;
}

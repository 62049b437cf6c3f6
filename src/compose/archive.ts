import type { QdrantConfig } from '../config/config.ts';
import { withoutLogin } from '../config/environment.ts';
import type { ArchiveReader } from '../ports/session-archive.ts';
import type { Sharing } from './server.ts';

/** This machine's archive, presented under the sessions' ids on the server. */
export function namedArchive(archive: ArchiveReader, localId: (sessionId: string) => string): ArchiveReader {
  return {
    name: archive.name,
    mayHold: (session) => {
      const id = localId(session.session_id);
      return id !== '' && archive.mayHold({ ...session, session_id: id });
    },
    async find(sessionId) {
      const id = localId(sessionId);
      const kept = id === '' ? null : await archive.find(id);
      return kept === null ? null : { ...kept, sessionId };
    },
    read: (kept) => archive.read({ ...kept, sessionId: localId(kept.sessionId) }),
    findByPrefix: async (prefix, limit) =>
      (await archive.findByPrefix(prefix, limit)).filter((id) => localId(id) === id),
  };
}

/** The transcripts on the server. Connects on first use. */
export function serverArchive(
  { url, collection }: QdrantConfig,
  sharing: () => Promise<Sharing | null>,
): ArchiveReader {
  const archive = async () => (await sharing())?.archive ?? null;
  /** Removes sessions forgotten here, even if the server does not know about it yet. */
  const without = async (ids: string[]) => {
    const waiting = (await sharing())?.outbox().get(ids) ?? [];
    return ids.filter((id) => !waiting.some(({ sessionId, removed }) => removed && sessionId === id));
  };
  return {
    name: `the server ${withoutLogin(url)}, ${collection}`,
    mayHold: ({ archived }) => archived === true,
    find: async (sessionId) =>
      (await without([sessionId])).length === 0 ? null : ((await archive())?.find(sessionId) ?? null),
    async *read(kept) {
      const there = await archive();
      if (there !== null) yield* there.read(kept);
    },
    findByPrefix: async (prefix, limit) =>
      without((await (await archive())?.findByPrefix(prefix, limit)) ?? []),
  };
}

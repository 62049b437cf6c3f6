import type { Sharing } from './compose-sharing.ts';
import { type QdrantConfig, withoutLogin } from './config.ts';
import type { ArchiveReader } from './ports/session-archive.ts';

/** The server is asked when a transcript is wanted, and what asks it is loaded then. */
export function serverArchive(
  { url, collection }: QdrantConfig,
  sharing: () => Promise<Sharing | null>,
): ArchiveReader {
  const archive = async () => (await sharing())?.archive ?? null;
  /** What the server has yet to be told is gone, is gone. */
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

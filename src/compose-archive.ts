import type { Sharing } from './compose-sharing.ts';
import { type QdrantConfig, withoutLogin } from './config.ts';
import type { ArchiveReader } from './ports/session-archive.ts';

/** The server is asked when a transcript is wanted, and what asks it is loaded then. */
export function serverArchive(
  { url, collection }: QdrantConfig,
  sharing: () => Promise<Sharing | null>,
): ArchiveReader {
  const archive = async () => (await sharing())?.archive ?? null;
  return {
    name: `the server ${withoutLogin(url)}, ${collection}`,
    mayHold: ({ archived }) => archived === true,
    find: async (sessionId) => (await archive())?.find(sessionId) ?? null,
    async *read(kept) {
      const there = await archive();
      if (there !== null) yield* there.read(kept);
    },
    findByPrefix: async (prefix, limit) => (await archive())?.findByPrefix(prefix, limit) ?? [],
  };
}

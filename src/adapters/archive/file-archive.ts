import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionArchive } from '../../ports/session-archive.ts';
import type { FileArchiveOptions } from './archive-files.ts';
import { folderName, MANIFEST } from './folder-name.ts';

/**
 * The archive as files: one folder per session, with Brotli-compressed parts and a manifest. Every search calls `mayHold`, so
 * everything else is loaded on demand.
 */
export function createFileArchive(options: FileArchiveOptions): SessionArchive {
  type Files = Omit<SessionArchive, 'name' | 'mayHold'>;
  let files: Files | null = null;
  const opened = async () => {
    const { openArchiveFiles } = await import('./archive-files.ts');
    files ??= openArchiveFiles(options);
    return files;
  };
  return {
    name: `the archive in ${options.folder}`,
    mayHold: ({ session_id }) => existsSync(join(options.folder, folderName(session_id), MANIFEST)),
    find: async (sessionId) => (await opened()).find(sessionId),
    async *read(kept) {
      yield* (await opened()).read(kept);
    },
    findByPrefix: async (prefix, limit) => (await opened()).findByPrefix(prefix, limit),
    save: async (transcript, readParts) => (await opened()).save(transcript, readParts),
    list: async () => (await opened()).list(),
    verify: async (budgetMs) => (await opened()).verify(budgetMs),
    remove: async (sessionIds) => (await opened()).remove(sessionIds),
    close() {
      files?.close();
      files = null;
    },
  };
}

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { ownerOf } from '../../domain/session/session-id.ts';
import { type Lease, withLease } from '../../ports/lease.ts';
import type { ArchivedTranscript, ArchiveEntry, SessionArchive } from '../../ports/session-archive.ts';
import { hasCode } from '../system/has-code.ts';
import { readRegularText } from '../system/regular-file.ts';
import { folderName, MANIFEST } from './folder-name.ts';
import { type Manifest, partName, readManifest } from './manifest.ts';
import { damaged, readPart, wholeParts } from './part-files.ts';
import { verifyArchive } from './verify-archive.ts';
import { leftoversIn, writeTranscript } from './write-transcript.ts';

export interface FileArchiveOptions {
  folder: string;
  openLease(): Promise<Lease>;
}

/** All operations except `mayHold`, which every search calls. */
export function openArchiveFiles({
  folder,
  openLease,
}: FileArchiveOptions): Omit<SessionArchive, 'name' | 'mayHold'> {
  const turns = takeTurns(openLease);
  const folderOf = (sessionId: string) => join(folder, folderName(sessionId));
  return {
    find: async (sessionId) => load(folderOf(sessionId), sessionId),
    read: (kept) => readParts(folderOf(kept.sessionId), kept),
    findByPrefix: async (prefix, limit) =>
      listManifests(folder)
        .map(({ sessionId }) => sessionId)
        .filter((id) => id.toLowerCase().startsWith(prefix.toLowerCase()))
        // Subagents are not sessions, so only a prefix that names a subagent finds one.
        .filter((id) => ownerOf(id) === id || ownerOf(prefix) !== prefix)
        .slice(0, limit),
    save: (transcript, readFrom) =>
      writing(folder, () =>
        turns.take(() => writeTranscript(folderOf(transcript.sessionId), transcript, readFrom)),
      ),
    list: async () =>
      listManifests(folder)
        .filter(({ sessionId, parts }) => wholeParts(folderOf(sessionId), parts).size === parts.length)
        .map((manifest) => ({
          ...entryOf(manifest),
          hasLeftovers: leftoversIn(folderOf(manifest.sessionId), manifest).length > 0,
        })),
    verify: (budgetMs) => verifyArchive(folder, budgetMs),
    remove: async (sessionIds) => {
      const there = sessionIds.filter((id) => isThere(folderOf(id)));
      const gone = new Set(sessionIds);
      const isOfThese = (id: string) => ownerOf(id) !== id && gone.has(ownerOf(id));
      const subagents = new Set([
        ...names(folder).filter(isOfThese),
        // A folder named by a hash does not show which session it belongs to.
        ...listManifests(folder, (name) => name.startsWith('_')).flatMap(({ sessionId }) =>
          isOfThese(sessionId) ? folderName(sessionId) : [],
        ),
      ]);
      if (there.length + subagents.size === 0) return 0;
      return writing(folder, () =>
        turns.take(async () => {
          for (const name of subagents) await removeFolder(join(folder, name));
          for (const id of there) await removeFolder(folderOf(id));
          return there.length;
        }),
      );
    },
    close: () => turns.close(),
  };
}

/** A turn writes one session's parts: a few seconds at most. */
const TIMEOUT_MS = 60_000;

/** Runs one operation at a time across all processes that share the lease. The first one opens the lease. */
function takeTurns(openLease: () => Promise<Lease>) {
  let lease: Lease | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    lease ??= await openLease();
    const done = await withLease(lease, { waitMs: TIMEOUT_MS }, async () => ({ result: await work() }));
    if (done !== null) return done.result;
    const pid = lease.holder()?.pid;
    throw new SmartForkError('STORE_UNAVAILABLE', 'another process is writing to the archive', {
      hint: `${pid === undefined ? 'Run' : `Wait for process ${pid} to finish, then run`} the command again.`,
    });
  };
  return {
    take<T>(work: () => Promise<T>): Promise<T> {
      const turn = last.then(() => run(work));
      last = turn.catch(() => undefined);
      return turn;
    },
    close() {
      lease?.close();
      lease = null;
    },
  };
}

/** @throws SmartForkError if the folder cannot be examined, because it may contain a copy */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw new SmartForkError('STORE_UNAVAILABLE', `cannot look into the archive: ${errorText(error)}`, {
      hint: `Make ${dirname(path)} readable and run the command again: it may have a copy that was not removed.`,
      cause: error,
    });
  }
}

/** Deletes the manifest first: without a manifest the folder counts as empty. */
async function removeFolder(folder: string): Promise<void> {
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Null if the session is not archived. */
function load(folder: string, sessionId: string): Manifest | null {
  const path = join(folder, MANIFEST);
  const text = readText(path);
  if (text === null) return null;
  const manifest = readManifest(text);
  if (manifest === null) throw damaged(path, 'not a manifest');
  if (manifest.sessionId !== sessionId) throw damaged(path, 'the manifest of another session');
  return manifest;
}

function readText(path: string): string | null {
  try {
    return readRegularText(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw damaged(path, errorText(error), error);
  }
}

/** A part may be replaced during the read. Then the manifest names another part, and the error asks to run the command again. */
async function* readParts(folder: string, kept: ArchivedTranscript): AsyncGenerator<Uint8Array> {
  for (const [index, part] of kept.parts.entries()) {
    const path = join(folder, partName(index, part.digest));
    try {
      yield await readPart(path, part);
    } catch (error) {
      if (load(folder, kept.sessionId)?.contentHash === kept.contentHash || existsSync(path)) throw error;
      throw new SmartForkError(
        'TRANSCRIPT_UNREADABLE',
        `session ${kept.sessionId} was archived again during the read`,
        {
          hint: 'Run the command again.',
          cause: error,
        },
      );
    }
  }
}

function listManifests(folder: string, isWanted = (_name: string) => true): Manifest[] {
  return names(folder)
    .filter(isWanted)
    .flatMap((name) => {
      const text = readTextOrNull(join(folder, name, MANIFEST));
      const manifest = text === null ? null : readManifest(text);
      // A manifest with the wrong id would be read, counted and removed instead of another session's.
      return manifest === null || folderName(manifest.sessionId) !== name ? [] : [manifest];
    });
}

function readTextOrNull(path: string): string | null {
  try {
    return readText(path);
  } catch {
    // A listing skips a damaged session; reading it reports the damage.
    return null;
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

function entryOf({ sessionId, source, bytes, parts }: Manifest): Omit<ArchiveEntry, 'hasLeftovers'> {
  const storedBytes = parts.reduce((sum, part) => sum + part.storedBytes, 0);
  return { sessionId, source, bytes, storedBytes };
}

/** Turns a file system error into one that names the archive and the fix. */
async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SmartForkError) throw error;
    const full = hasCode(error, 'ENOSPC', 'EDQUOT');
    throw new SmartForkError(
      'STORE_UNAVAILABLE',
      `cannot write to the archive ${folder}: ${errorText(error)}`,
      {
        hint: full
          ? 'Free some disk space, or lower archive.max_bytes. Archived sessions are not affected.'
          : 'Make the folder writable, or turn the archive off: smart-fork config set archive.enabled false',
        cause: error,
      },
    );
  }
}

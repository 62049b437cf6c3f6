import type { Stats } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { SmartForkError } from '../../../domain/errors.ts';
import type { OnProblem, TranscriptFile } from '../../../ports/transcript-source.ts';
import { statOf } from '../../files/look-at-path.ts';
import { listFolder } from '../../jsonl/list-folder.ts';
import { createOwnIds, type OwnIds } from './own-ids.ts';
import { canDecompress, isCompressed } from './read-file.ts';

/** All transcripts in a home. If a session has several files there, a plain one takes precedence over a compressed one. */
export function findTranscripts(
  home: string,
  names: Map<string, string>,
  onProblem?: OnProblem,
): TranscriptFile[] {
  const found = new Map<string, TranscriptFile>();
  for (const path of listTranscripts(home, onProblem)) {
    const sessionId = idInName(path);
    if (sessionId === null) continue;
    if (isCompressed(path) && !canDecompress()) {
      onProblem?.(path, 'compressed with zstd, which requires Node 22.15 or later');
      continue;
    }
    const archived = isArchived([home], path);
    const file = describeFile(path, sessionId, { name: names.get(sessionId), archived });
    const other = found.get(sessionId);
    if (file === null) onProblem?.(path, 'cannot be read');
    else if (other === undefined || isCompressed(other.path)) found.set(sessionId, file);
  }
  return [...found.values()];
}

/**
 * The transcript at a path; null if it is not one of Codex's. If this version of Node cannot decompress it, its name decides, and
 * reading it reports which version is needed.
 */
export function inspectTranscript(
  homes: string[],
  path: string,
  name: string | undefined,
  ownIds: OwnIds = createOwnIds(),
): TranscriptFile | null {
  try {
    const stats = statOf(path);
    if (!stats?.isFile()) return null;
    const unreadable = isCompressed(path) && !canDecompress();
    const ownId = unreadable ? null : ownIds(path, stats);
    const sessionId = idInName(path) ?? ownId;
    if (sessionId === null || (ownId === null && !unreadable)) return null;
    return describeStats(path, stats, sessionId, { name, archived: isArchived(homes, path) });
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

/** The paths of all files in a home's session folders. */
export function listTranscripts(home: string, onProblem?: OnProblem): string[] {
  return [SESSIONS, ARCHIVED].flatMap((folder) => listFiles(join(home, folder), onProblem));
}

/** The paths of all files below a folder. */
export function listFiles(folder: string, onProblem?: OnProblem): string[] {
  return listFolder(folder, onProblem).flatMap((entry) => {
    // Not `join`, which takes as long as the listing itself.
    const path = `${folder}${sep}${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, onProblem);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
}

/** The session id in a transcript's name, by which Codex finds it. */
export function idInName(path: string): string | null {
  return TRANSCRIPT_NAME.exec(basename(path))?.[1] ?? null;
}

export const SESSIONS = 'sessions';
export const ARCHIVED = 'archived_sessions';

const TRANSCRIPT_NAME =
  /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/;

function isArchived(homes: string[], path: string): boolean {
  return path.includes(ARCHIVED) && homes.some((home) => path.startsWith(join(home, ARCHIVED) + sep));
}

function describeFile(
  path: string,
  sessionId: string,
  more: { name: string | undefined; archived: boolean },
): TranscriptFile | null {
  const stats = statOf(path);
  return stats?.isFile() ? describeStats(path, stats, sessionId, more) : null;
}

function describeStats(
  path: string,
  stats: Stats,
  sessionId: string,
  more: { name: string | undefined; archived: boolean },
): TranscriptFile {
  return {
    agent: 'codex',
    path,
    sessionId,
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    inode: stats.ino,
    ...(more.name === undefined ? {} : { name: more.name }),
    ...(more.archived ? { archived: true } : {}),
  };
}

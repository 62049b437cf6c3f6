import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { errorText } from '../../../domain/errors.ts';
import type { TranscriptFile } from '../../../ports/transcript-source.ts';
import { canDecompress, isCompressed } from '../transcript/lines.ts';

export type OnProblem = (path: string, reason: string) => void;

/** The transcripts of one home. Where a session lies there more than once, the plain file is taken before a compressed one. */
export function findTranscripts(
  home: string,
  names: Map<string, string>,
  onProblem: OnProblem,
): TranscriptFile[] {
  const found = new Map<string, TranscriptFile>();
  for (const path of listTranscripts(home, onProblem)) {
    const sessionId = idInName(path);
    if (sessionId === null) continue;
    if (isCompressed(path) && !canDecompress()) {
      onProblem(path, 'compressed with zstd, which needs Node 22.15 or newer');
      continue;
    }
    const file = describeFile(path, sessionId, {
      name: names.get(sessionId),
      archived: path.startsWith(join(home, ARCHIVED) + sep),
    });
    const other = found.get(sessionId);
    if (file === null) onProblem(path, 'cannot be read');
    else if (other === undefined || isCompressed(other.path)) found.set(sessionId, file);
  }
  return [...found.values()];
}

/** The paths of all files in a home's folders of sessions. */
export function listTranscripts(home: string, onProblem?: OnProblem): string[] {
  return [SESSIONS, ARCHIVED].flatMap((folder) => listFiles(join(home, folder), onProblem));
}

/** The file as the port describes it, or null when it cannot be reached. */
export function describeFile(
  path: string,
  sessionId: string,
  more: { name: string | undefined; archived: boolean },
): TranscriptFile | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return null;
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

/** The session's id in the name of its transcript, which is what Codex finds it by. */
export function idInName(path: string): string | null {
  return TRANSCRIPT_NAME.exec(basename(path))?.[1] ?? null;
}

export const SESSIONS = 'sessions';
export const ARCHIVED = 'archived_sessions';

/** The paths of all files below a folder. */
export function listFiles(folder: string, onProblem?: OnProblem): string[] {
  return listEntries(folder, onProblem).flatMap((entry) => {
    // A template, since join takes as long as listing does.
    const path = `${folder}${sep}${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, onProblem);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
}

function listEntries(folder: string, onProblem?: OnProblem): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A home without sessions is an ordinary one.
    if (!isAbsent(error)) onProblem?.(folder, errorText(error));
    return [];
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

const TRANSCRIPT_NAME =
  /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/;

import { basename, dirname } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { statOf } from '../files/look-at-path.ts';
import { listFiles } from '../jsonl/list-folder.ts';
import { aboutFile } from './about-file.ts';
import { keepLargest } from './keep-largest.ts';
import type { LinesFormat } from './lines-format.ts';
import type { SessionAbout } from './row-format.ts';

/** Every transcript below the folders. A session with several files is described by the largest. */
export function findFiles(format: LinesFormat, folders: string[], onProblem?: OnProblem): TranscriptFile[] {
  const found = new Map<string, TranscriptFile>();
  for (const path of folders.flatMap((folder) => listFiles(folder, onProblem))) {
    const named = format.idIn(path);
    if (named === null) continue;
    const file = describe(format, path, named, UUID.test(named) ? null : aboutReadable(format, path));
    if (file === null) onProblem?.(path, 'cannot be read');
    else keepLargest(found, file, onProblem);
  }
  return [...found.values()];
}

/** The transcript at a path, which may be a copy outside the agent's folders; null if this agent did not write it. */
export function inspectFile(format: LinesFormat, path: string): TranscriptFile | null {
  const named = format.idIn(path);
  if (named === null || statOf(path)?.isFile() !== true) return null;
  const about = aboutReadable(format, path);
  return about === null ? null : describe(format, path, named, about);
}

/** A file whose name has something added to the id in its records is a copy that a person or a repair left. */
function describe(
  { agent }: LinesFormat,
  path: string,
  named: string,
  about: SessionAbout | null,
): TranscriptFile | null {
  const inside = about?.sessionId ?? '';
  const isCopy = !UUID.test(named) && UUID.test(inside) && (named.includes(inside) || isIn(inside, path));
  const sessionId = isCopy ? inside : named;
  const file = describeFile(agent, path, sessionId);
  return file === null || !isCopy ? file : { ...file, isCopy };
}

function isIn(sessionId: string, path: string): boolean {
  return basename(dirname(path)) === sessionId;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function aboutReadable(format: LinesFormat, path: string): SessionAbout | null {
  try {
    return aboutFile(format, path);
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

export function locateFile(format: LinesFormat, folders: string[], sessionId: string): string | null {
  const found = findFiles(format, folders).find((file) => file.sessionId === sessionId);
  return found?.path ?? null;
}

/** A session's file, with the marks that show whether it changed; null if it is not a file. */
export function describeFile(agent: Agent, path: string, sessionId: string): TranscriptFile | null {
  const stats = statOf(path);
  if (stats?.isFile() !== true) return null;
  const { size, mtimeMs, ino: inode } = stats;
  return { agent, path, sessionId, size, mtimeMs, inode };
}

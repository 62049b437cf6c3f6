import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SmartForkError } from '../../../domain/errors.ts';
import { readMeta } from '../transcript/read-head.ts';
import { ARCHIVED, idInName, listFiles, listTranscripts } from './find-transcripts.ts';
import { canDecompress, isCompressed } from './read-file.ts';
import { dayFolder, startOf } from './restore-path.ts';

/**
 * The transcript of a session: from the folder of its day or the archive, else from
 * anywhere by its name. Only transcripts whose names hold no id are opened.
 */
export function locateTranscript(homes: string[], sessionId: string): string | null {
  const near = homes
    .flatMap((home) => [...daysAround(home, sessionId), join(home, ARCHIVED)])
    .flatMap((folder) => listFiles(folder));
  const found = pickNamed(near, sessionId);
  if (found !== null) return found;
  const all = homes.flatMap((home) => listTranscripts(home));
  return pickNamed(all, sessionId) ?? all.find((path) => isUnnamed(path, sessionId)) ?? null;
}

/** The folders of the day on which a session began, in any time zone; none for an id that holds no time. */
function daysAround(home: string, sessionId: string): string[] {
  const start = startOf(sessionId);
  if (start === null) return [];
  return [0, -DAY_MS, DAY_MS].map((offset) => dayFolder(home, new Date(start.getTime() + offset)));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A plain file before a compressed one. */
function pickNamed(paths: string[], sessionId: string): string | null {
  const named = paths.filter((path) => path.includes(sessionId) && idInName(path) === sessionId);
  const plain = named.filter((path) => !isCompressed(path));
  const readable = canDecompress() ? [...plain, ...named] : plain;
  return readable.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile()) ?? null;
}

function isUnnamed(path: string, sessionId: string): boolean {
  if (idInName(path) !== null || !/\.jsonl(?:\.zst)?$/.test(path)) return false;
  try {
    return readMeta(path)?.id === sessionId;
  } catch (error) {
    if (error instanceof SmartForkError) return false;
    throw error;
  }
}

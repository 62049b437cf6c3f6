import { join } from 'node:path';
import { statOf } from '../../files/look-at-path.ts';
import { ARCHIVED, idInName, inspectTranscript, listFiles, listTranscripts } from './find-transcripts.ts';
import { canDecompress, isCompressed } from './read-file.ts';
import { dayFolder, startOf } from './restore-path.ts';

/**
 * Looks for a session's transcript in the folders of its day and in Codex's archive, then everywhere. Files are found by name; as a
 * last resort, files without an id in their name are opened.
 */
export function locateTranscript(homes: string[], sessionId: string): string | null {
  const near = homes
    .flatMap((home) => [...daysAround(home, sessionId), join(home, ARCHIVED)])
    .flatMap((folder) => listFiles(folder));
  const found = pickNamed(near, sessionId);
  if (found !== null) return found;
  const all = homes.flatMap((home) => listTranscripts(home));
  return pickNamed(all, sessionId) ?? all.find((path) => holds(homes, path, sessionId)) ?? null;
}

/** The folders of the day on which a session began, in any time zone; none for an id without a time. */
function daysAround(home: string, sessionId: string): string[] {
  const start = startOf(sessionId);
  if (start === null) return [];
  return [0, -DAY_MS, DAY_MS].map((offset) => dayFolder(home, new Date(start.getTime() + offset)));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A plain file takes precedence over a compressed one. */
function pickNamed(paths: string[], sessionId: string): string | null {
  const named = paths.filter((path) => path.includes(sessionId) && idInName(path) === sessionId);
  const plain = named.filter((path) => !isCompressed(path));
  const readable = canDecompress() ? [...plain, ...named] : plain;
  return readable.find((path) => statOf(path)?.isFile()) ?? null;
}

/** Whether a file without an id in its name is the session's transcript. */
function holds(homes: string[], path: string, sessionId: string): boolean {
  if (idInName(path) !== null || !/\.jsonl(?:\.zst)?$/.test(path)) return false;
  return inspectTranscript(homes, path, undefined)?.sessionId === sessionId;
}

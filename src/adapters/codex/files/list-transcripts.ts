import { basename, join, sep } from 'node:path';
import type { OnProblem } from '../../../ports/transcript-source.ts';
import { listFiles } from '../../jsonl/list-folder.ts';

/** The paths of all files in a home's session folders. */
export function listTranscripts(home: string, onProblem?: OnProblem): string[] {
  return [SESSIONS, ARCHIVED].flatMap((folder) => listFiles(join(home, folder), onProblem));
}

/** The id in a transcript's name, by which Codex finds it: of its thread or, for a later rollout of a thread, its own. */
export function idInName(path: string): string | null {
  return TRANSCRIPT_NAME.exec(basename(path))?.[1] ?? null;
}

export function isArchived(homes: string[], path: string): boolean {
  return path.includes(ARCHIVED) && homes.some((home) => path.startsWith(join(home, ARCHIVED) + sep));
}

export const SESSIONS = 'sessions';
export const ARCHIVED = 'archived_sessions';

const TRANSCRIPT_NAME =
  /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/;

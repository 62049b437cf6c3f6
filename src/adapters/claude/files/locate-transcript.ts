import { join } from 'node:path';
import { listFolder } from '../../jsonl/list-folder.ts';
import type { TranscriptFinder } from './find-transcripts.ts';

/** The largest transcript of a session in any project folder; null if there is none. */
export function locateTranscript(
  { inspect }: TranscriptFinder,
  roots: string[],
  sessionId: string,
): string | null {
  if (/[/\\\0]/.test(sessionId)) return null;
  const found = roots
    .flatMap((root) => listFolder(root).map((project) => join(root, project.name, `${sessionId}.jsonl`)))
    .map((path) => inspect(path))
    .filter((file) => file !== null);
  return found.sort((a, b) => b.size - a.size)[0]?.path ?? null;
}

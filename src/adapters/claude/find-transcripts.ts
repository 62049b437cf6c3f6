import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorText } from '../../domain/errors.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';

type OnProblem = (path: string, reason: string) => void;

/** Every transcript below `<root>/<project>/`; side files of subagents lie deeper or are called `agent-…`. */
export function findTranscripts(root: string, onProblem: OnProblem): TranscriptFile[] {
  const found: TranscriptFile[] = [];
  for (const project of list(root, onProblem)) {
    const folder = join(root, project.name);
    if (!project.isDirectory() && !project.isSymbolicLink()) continue;
    for (const entry of list(folder, onProblem)) {
      if (entry.isDirectory() || !isTranscriptName(entry.name)) continue;
      const file = inspectTranscript(join(folder, entry.name), onProblem);
      if (file !== null) found.push(file);
    }
  }
  return found;
}

/** The transcript at a path; null when it is no file or is called otherwise. */
export function inspectTranscript(path: string, onProblem?: OnProblem): TranscriptFile | null {
  if (!isTranscriptName(basename(path))) return null;
  let stat: Stats;
  try {
    stat = statSync(path);
  } catch (error) {
    onProblem?.(path, errorText(error));
    return null;
  }
  if (!stat.isFile()) return null;
  const sessionId = basename(path, '.jsonl');
  return { agent: 'claude', path, sessionId, size: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino };
}

/** The largest transcript of a session in any project folder; null when there is none. */
export function locateTranscript(roots: string[], sessionId: string): string | null {
  if (!/^[\w.-]+$/.test(sessionId)) return null;
  const ignoreProblems = () => undefined;
  const found = roots
    .flatMap((root) =>
      list(root, ignoreProblems).map((project) => join(root, project.name, `${sessionId}.jsonl`)),
    )
    .map((path) => inspectTranscript(path))
    .filter((file) => file !== null);
  return found.sort((a, b) => b.size - a.size)[0]?.path ?? null;
}

function isTranscriptName(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('agent-') && !name.startsWith('.');
}

function list(folder: string, onProblem: OnProblem) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const absent =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (!absent) onProblem(folder, errorText(error));
    return [];
  }
}

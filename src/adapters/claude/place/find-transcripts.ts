import { closeSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText } from '../../../domain/errors.ts';
import type { TranscriptFile } from '../../../ports/transcript-source.ts';

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

/**
 * The transcript at a path that someone gave. What lies where Claude Code keeps its transcripts is one; what lies elsewhere
 * must look like one, for other agents write `.jsonl` too.
 */
export function inspectGivenPath(roots: string[], path: string): TranscriptFile | null {
  const file = inspectTranscript(path);
  return file === null || roots.includes(dirname(dirname(path))) || looksLikeClaude(path) ? file : null;
}

/** The largest transcript of a session in any project folder; null when there is none. */
export function locateTranscript(roots: string[], sessionId: string): string | null {
  if (/[/\\\0]/.test(sessionId)) return null;
  const ignoreProblems = () => undefined;
  const found = roots
    .flatMap((root) =>
      list(root, ignoreProblems).map((project) => join(root, project.name, `${sessionId}.jsonl`)),
    )
    .map((path) => inspectTranscript(path))
    .filter((file) => file !== null);
  return found.sort((a, b) => b.size - a.size)[0]?.path ?? null;
}

/** Every line of Claude Code's that has to do with a session names it, most of them with the program's version. */
function looksLikeClaude(path: string): boolean {
  const buffer = Buffer.alloc(LOOK_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      const head = buffer.toString('latin1', 0, readSync(file, buffer, 0, LOOK_BYTES, 0));
      return /"(?:sessionId|parentUuid|isSidechain|leafUuid)":/.test(head);
    } finally {
      closeSync(file);
    }
  } catch {
    // Nothing can be told of a file that cannot be read.
    return false;
  }
}

const LOOK_BYTES = 16 * 1024;

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

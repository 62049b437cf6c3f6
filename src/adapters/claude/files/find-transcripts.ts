import { type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText } from '../../../domain/errors.ts';
import type { TranscriptFile } from '../../../ports/transcript-source.ts';
import { listFolder, type OnProblem } from '../../jsonl/list-folder.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { withSubagents } from './find-subagents.ts';

/** Every transcript in `<root>/<project>/`. Subagents' transcripts are in deeper folders or named `agent-…`. */
export function findTranscripts(root: string, onProblem?: OnProblem): TranscriptFile[] {
  const found: TranscriptFile[] = [];
  for (const project of listFolder(root, onProblem)) {
    const folder = join(root, project.name);
    if (!project.isDirectory() && !project.isSymbolicLink()) continue;
    const entries = listFolder(folder, onProblem);
    const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
    for (const entry of entries) {
      if (entry.isDirectory() || !isTranscriptName(entry.name)) continue;
      const file = inspectMain(join(folder, entry.name), onProblem);
      if (file !== null) found.push(folders.has(file.sessionId) ? withSubagents(file) : file);
    }
  }
  return found;
}

/** The transcript at a path; null if there is no file, or its name is not a transcript's. */
export function inspectTranscript(path: string): TranscriptFile | null {
  const file = inspectMain(path);
  return file === null ? null : withSubagents(file);
}

function inspectMain(path: string, onProblem?: OnProblem): TranscriptFile | null {
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
 * The transcript at a path given by the user. Outside Claude Code's project folders its content must look like Claude Code's, too:
 * other agents also write `.jsonl` files.
 */
export function inspectGivenPath(roots: string[], path: string): TranscriptFile | null {
  const file = inspectTranscript(path);
  return file === null || roots.includes(dirname(dirname(path))) || looksLikeClaude(path) ? file : null;
}

/** Claude Code's lines name the session or the previous message. */
function looksLikeClaude(path: string): boolean {
  try {
    const head = readBytes(path, 0, LOOK_BYTES).toString('latin1');
    return /"(?:sessionId|parentUuid|isSidechain|leafUuid)":/.test(head);
  } catch {
    // Unreadable.
    return false;
  }
}

const LOOK_BYTES = 16 * 1024;

function isTranscriptName(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('agent-') && !name.startsWith('.');
}

import { type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText } from '../../../domain/errors.ts';
import type { OnProblem, SubagentFile, TranscriptFile } from '../../../ports/transcript-source.ts';
import { readRegularFile, statOf } from '../../files/look-at-path.ts';
import { listFolder } from '../../jsonl/list-folder.ts';
import { createAgentsBeside } from './agents-beside.ts';
import { allSubagents, straySubagents, withStray, withSubagents } from './find-subagents.ts';
import { createInnerIds, isSessionName } from './inner-ids.ts';

export interface TranscriptFinder {
  /** Every transcript in `<root>/<project>/`. Subagents' transcripts are in deeper folders or named `agent-…`. */
  find(root: string, onProblem?: OnProblem): TranscriptFile[];
  /** The transcript at a path; null if there is no file, or its name is not a transcript's. */
  inspect(path: string): TranscriptFile | null;
  subagents(file: TranscriptFile): SubagentFile[];
}

export function createFinder(): TranscriptFinder {
  const beside = createAgentsBeside();
  const innerIds = createInnerIds();
  const inspectMain = (path: string, onProblem?: OnProblem): TranscriptFile | null => {
    if (!isTranscriptName(basename(path))) return null;
    const stat = statFile(path, onProblem);
    if (stat === null) return null;
    const name = basename(path, '.jsonl');
    const inside = isSessionName(name) ? null : innerIds(path, stat);
    const id = inside !== null && isCopyOf(inside, path) ? inside : null;
    return {
      agent: 'claude',
      path,
      sessionId: id ?? name,
      size: stat.size,
      mtimeMs: stat.mtimeMs,
      inode: stat.ino,
      ...(id === null || id === name ? {} : { isCopy: true }),
    };
  };
  const astray = new Map<string, SubagentFile[]>();
  const family = (file: TranscriptFile) =>
    withStray(withSubagents(file, beside), astray.get(file.sessionId) ?? []);
  const alone = (file: TranscriptFile) => withStray(family(file), straySubagents(file));
  const list = (folder: string, onProblem?: OnProblem): Project => {
    const entries = listFolder(folder, onProblem);
    const files = entries
      .filter((entry) => !entry.isDirectory() && isTranscriptName(entry.name))
      .flatMap(({ name }) => inspectMain(join(folder, name), onProblem) ?? []);
    const ids = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
    if (entries.some(({ name }) => name.startsWith('agent-')))
      for (const id of beside(folder).keys()) ids.add(id);
    return { folder, files, ids };
  };
  return {
    find(root, onProblem) {
      const projects = listFolder(root, onProblem)
        .filter((project) => project.isDirectory() || project.isSymbolicLink())
        .map(({ name }) => list(join(root, name), onProblem));
      const here = new Set(projects.flatMap(({ files }) => files.map(({ sessionId }) => sessionId)));
      for (const id of here) astray.delete(id);
      for (const { folder, files, ids } of projects) {
        const own = new Set(files.map(({ sessionId }) => sessionId));
        for (const sessionId of [...ids].filter((id) => !own.has(id))) {
          const agents = allSubagents({ path: join(folder, `${sessionId}.jsonl`), sessionId }, beside);
          // There may be a folder without agents, such as one of long outputs.
          if (here.has(sessionId)) astray.set(sessionId, [...(astray.get(sessionId) ?? []), ...agents]);
          else
            for (const { path } of agents)
              onProblem?.(path, 'its session has no transcript here', 'without session');
        }
      }
      return projects.flatMap(({ files, ids }) =>
        files.map((file) => (ids.has(file.sessionId) || astray.has(file.sessionId) ? family(file) : file)),
      );
    },
    inspect(path) {
      const file = inspectMain(path);
      return file === null ? null : alone(file);
    },
    subagents: (file) => alone(file).subagents ?? [],
  };
}

/** What is in the folder of a project: transcripts, and the sessions that have agents there. */
interface Project {
  folder: string;
  files: TranscriptFile[];
  ids: Set<string>;
}

/** Whether a person or a repair left a copy of a session's transcript, such as `<id>.backup.jsonl`. */
function isCopyOf(sessionId: string, path: string): boolean {
  return (
    basename(path).includes(sessionId) || statOf(join(dirname(path), `${sessionId}.jsonl`))?.isFile() === true
  );
}

function statFile(path: string, onProblem?: OnProblem): Stats | null {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat : null;
  } catch (error) {
    onProblem?.(path, errorText(error));
    return null;
  }
}

/**
 * The transcript at a path given by the user. Outside Claude Code's project folders its content must look like Claude Code's, too:
 * other agents also write `.jsonl` files.
 */
export function inspectGivenPath(
  { inspect }: TranscriptFinder,
  roots: string[],
  path: string,
): TranscriptFile | null {
  const file = inspect(path);
  return file === null || roots.includes(dirname(dirname(path))) || looksLikeClaude(path) ? file : null;
}

/** Claude Code's lines name the session or the previous message. */
function looksLikeClaude(path: string): boolean {
  return /"(?:sessionId|parentUuid|isSidechain|leafUuid)":/.test(readRegularFile(path, LOOK_BYTES));
}

const LOOK_BYTES = 16 * 1024;

function isTranscriptName(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('agent-') && !name.startsWith('.');
}

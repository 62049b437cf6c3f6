import { basename, dirname, join } from 'node:path';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import { describeFile } from '../records/find-files.ts';
import { keepLargest } from '../records/keep-largest.ts';
import type { SubagentPlace } from '../records/row-format.ts';
import { subagentFile, subagentsIn, withSubagents } from '../records/subagents.ts';

/** Each session once: resuming leaves small files of the same session behind, and a migration the old one. */
export function findChats(home: string, onProblem?: OnProblem): TranscriptFile[] {
  const found = new Map<string, TranscriptFile>();
  const projects = projectsIn(home);
  for (const project of listFolder(projects, onProblem)) {
    const folder = join(projects, project.name, 'chats');
    for (const entry of listFolder(folder, onProblem)) {
      if (entry.isDirectory() || !/\.jsonl?$/.test(entry.name)) continue;
      const path = join(folder, entry.name);
      const file = inspectChat(path);
      if (file === null) onProblem?.(path, 'its beginning names no session');
      else keepLargest(found, file, onProblem);
    }
  }
  return [...found.values()];
}

/** GEMINI_CLI_HOME is the folder that contains `.gemini`. */
export function ownFolder(home: string): string {
  return basename(home) === '.gemini' ? home : join(home, '.gemini');
}

export function projectsIn(home: string): string {
  return join(ownFolder(home), 'tmp');
}

export function inspectChat(path: string): TranscriptFile | null {
  if (statOf(path)?.isFile() !== true || !/\.jsonl?$/.test(path)) return null;
  const head = readRegularFile(path, HEAD_BYTES);
  const sessionId = asId(/"sessionId"\s?:\s?"([^"\\]{1,200})"/.exec(head)?.[1]);
  if (sessionId === null || !/"projectHash"\s?:/.test(head)) return null;
  const file = describeFile('gemini', path, sessionId);
  return file === null ? null : withSubagents(file, subagentsIn('gemini', subagentsOf(path, sessionId)));
}

/** Beside the chats, in a folder of its own for each session that started some. */
function subagentsOf(path: string, sessionId: string): SubagentPlace {
  return { folder: join(dirname(path), sessionId), prefix: '' };
}

/** Where a subagent's chat belongs, beside its session's at `path`. */
export function subagentPath(path: string, agentId: string): string {
  return subagentFile(subagentsOf(path, inspectChat(path)?.sessionId ?? ''), agentId);
}

const HEAD_BYTES = 4096;

/** The folder that a chat's project has: newer versions write it beside the chats. */
export function projectOf(path: string): string | null {
  const root = readRegularFile(join(dirname(dirname(path)), '.project_root'), 4096).trim();
  return root === '' ? null : root;
}

/** The name of a project's folder in Gemini's `tmp`. A project that it has not seen gets the folder's own name. */
export function folderFor(home: string, cwd: string): string {
  const known = parseJson(readRegularFile(join(ownFolder(home), 'projects.json')));
  const name = asText(asRecord(asRecord(known)?.projects)?.[cwd]);
  return (
    name ??
    (basename(cwd)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-') ||
      'project')
  );
}

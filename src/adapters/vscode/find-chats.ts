import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId } from '../jsonl/read-value.ts';
import { describeFile } from '../records/find-files.ts';
import { keepLargest } from '../records/keep-largest.ts';

/**
 * The folders with chats of windows with a folder, and of those without. A home is an editor's `User` folder. What else is in
 * `workspaceStorage` belongs to extensions and is not to be watched.
 */
export function foldersIn(home: string): string[] {
  const workspaces = join(home, WORKSPACES);
  const folders = listFolder(workspaces).map(({ name }) => join(workspaces, name, IN_WORKSPACE));
  const there = [...folders, join(home, 'globalStorage', EMPTY_WINDOW)].filter((folder) =>
    existsSync(folder),
  );
  return there.length === 0 ? [workspaces] : there;
}

const WORKSPACES = 'workspaceStorage';
const EMPTY_WINDOW = 'emptyWindowChatSessions';
const IN_WORKSPACE = 'chatSessions';

/** A chat that came along when its window opened another folder is in two places. */
export function findChats(home: string, onProblem?: OnProblem): TranscriptFile[] {
  // Only this reports that the folder cannot be read.
  listFolder(join(home, WORKSPACES), onProblem);
  const found = new Map<string, TranscriptFile>();
  for (const folder of foldersIn(home).filter((each) => basename(each) !== WORKSPACES)) {
    const names = new Set(listFolder(folder, onProblem).map(({ name }) => name));
    for (const name of [...names].filter((one) => /\.jsonl?$/.test(one))) {
      const path = join(folder, name);
      const file = inspectChat(path);
      if (names.has(`${name}l`)) onProblem?.(path, 'its log is read', 'copy');
      else if (file === null) onProblem?.(path, 'its beginning names no session');
      else keepLargest(found, file, onProblem);
    }
  }
  return [...found.values()];
}

export function inspectChat(path: string): TranscriptFile | null {
  const sessionId = asId(/^([\w-]{1,100})(?:\.vscode-chat)?\.jsonl?$/.exec(basename(path))?.[1]);
  const folder = basename(dirname(path));
  const isIn = folder === IN_WORKSPACE || folder === EMPTY_WINDOW || path.endsWith('.vscode-chat.jsonl');
  if (sessionId === null || !isIn) return null;
  const file = describeFile('vscode', path, sessionId);
  return file !== null && BEGINNING.test(readRegularFile(path, HEAD_BYTES)) ? file : null;
}

const HEAD_BYTES = 4096;
/** Of the document, or of the log, whose first record is the document. */
const BEGINNING =
  /^\s{0,10}\{\s{0,10}"(?:kind"\s{0,3}:\s{0,3}\d,|version"|requesterUsername"|responderUsername"|initialLocation"|requests"|sessionId")/;

/** The file that names a chat's folder: `workspaceStorage/<id>/workspace.json`. */
export function workspaceOf(path: string): string {
  return readRegularFile(join(dirname(dirname(path)), 'workspace.json'), 64 * 1024);
}

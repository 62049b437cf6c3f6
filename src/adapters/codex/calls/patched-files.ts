import { posix, win32 } from 'node:path';

export type PatchAction = 'Write' | 'Edit' | 'Delete';

export interface PatchedFile {
  action: PatchAction;
  path: string;
}

/** The files named in an `apply_patch` text, in order. A moved file appears under both names. */
export function patchedFiles(patch: string): PatchedFile[] {
  return Array.from(patch.matchAll(HEADER), ([, verb = '', path = '']) => ({
    action: ACTIONS[verb] ?? 'Edit',
    path: path.trim(),
  }));
}

/** The files that a shell command writes from a here-document (`cat > path <<EOF`, `tee path <<EOF`). */
export function heredocFiles(command: string): string[] {
  if (!command.includes('<<')) return [];
  return command
    .split('\n')
    .filter((line) => line.includes('<<'))
    .map((line) => unquote(HEREDOC.exec(line)?.[1] ?? ''))
    .filter((path) => path !== '' && !path.startsWith('/dev/') && !/[$`*]/.test(path));
}

/** The absolute path, if the folder is known. `cwd` may be a Windows path on any machine. */
export function resolvePath(path: string, cwd: string | null): string {
  if (cwd === null) return path;
  const rules = pathRules(cwd);
  return rules.isAbsolute(path) ? path : rules.join(cwd, path);
}

/** `/a b` for `file:///a%20b`; other text is returned unchanged. */
export function fromFileUrl(text: string): string {
  if (!text.startsWith('file://')) return text;
  const path = text.slice('file://'.length).replace(/^\/(?=[A-Za-z]:)/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone % is not an escape.
    return path;
  }
}

function pathRules(cwd: string): typeof posix {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(cwd) ? win32 : posix;
}

function unquote(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

const ACTIONS: Record<string, PatchAction> = {
  'Add File': 'Write',
  'Update File': 'Edit',
  'Delete File': 'Delete',
  'Move to': 'Write',
};
const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (\S[^\r\n]*)/gm;
const HEREDOC =
  /(?:^|[;&|(])\s*(?:cat\b[^;&|]{0,300}?>{1,2}\s*|tee\s+(?:-a\s+)?)("[^"]{1,300}"|'[^']{1,300}'|[^\s<>|&;"'()]{1,300})/;

import { statSync } from 'node:fs';

/** Whether other users can read or change a file. Windows has no such modes; a pipe (`/dev/fd/3`) is nobody else's. */
export function isSharedFile(path: string): boolean {
  if (process.platform === 'win32') return false;
  const stat = statSync(path);
  return stat.isFile() && (stat.mode & 0o077) !== 0;
}

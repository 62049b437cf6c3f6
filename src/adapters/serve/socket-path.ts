import { join } from 'node:path';

/** Longer socket paths fail on some systems. */
const MAX_LENGTH = 100;

/** Path of the socket at which this machine's server answers commands; null if the home's path is too long. */
export function socketPath(home: string): string | null {
  // Windows has named pipes; those of another user's server cannot be opened.
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\smart-fork${home.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  const path = join(home, 'serve.sock');
  return path.length > MAX_LENGTH ? null : path;
}

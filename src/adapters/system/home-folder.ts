import { accessSync, constants, existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Problem } from '../../domain/errors.ts';
import { hasCode } from './has-code.ts';

/** Checks that a home is writable, or can be created, and that other users cannot read it. */
export function homeProblems(home: string): (Problem & { fatal: boolean })[] {
  const problem = notWritable(home);
  if (problem !== null) return [{ ...problem, fatal: true }];
  if (process.platform === 'win32' || !existsSync(home)) return [];
  // SQLite's files come and go.
  const modeOf = (name: string) => statSync(join(home, name), { throwIfNoEntry: false })?.mode ?? 0;
  const open = ['', ...readdirSync(home)].filter((name) => (modeOf(name) & 0o077) !== 0);
  if (open.length > 0) {
    const message = `${open.map((name) => name || home).join(', ')} can be read by other users`;
    return [{ message, hint: `chmod -R go-rwx ${home}`, fatal: false }];
  }
  return [];
}

function notWritable(home: string): Problem | null {
  let there = home;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.R_OK | constants.W_OK);
    if (statSync(there).isDirectory()) return null;
    return { message: `${there} is not a folder`, hint: 'Set SMART_FORK_HOME to a folder.' };
  } catch (error) {
    const isReadOnly = hasCode(error, 'EROFS');
    return {
      message:
        there === home ? `${home} is not writable` : `${home} cannot be created: ${there} is not writable`,
      hint: isReadOnly
        ? 'It is on a read-only disk: set SMART_FORK_HOME to a folder that is writable.'
        : `Make it writable: chmod u+rwx ${there}. Or set SMART_FORK_HOME to a folder that is.`,
    };
  }
}

/** The names of smart-fork's own files. Other files are the user's: SMART_FORK_HOME may be any folder. */
const OURS =
  /^(?:(?:index|state)\.db(?:-wal|-shm)?|config\.json|\.env|installed\.json|service\.(?:json|xml)|serve\.(?:json|sock)|serve-token|worker\.\w+|searches\.json|token|logins|spool|logs|archive|tmp|context|runtime|program)$/;

/** Deletes smart-fork's files from its home, then the folder if it is empty. Returns the names of the other files. */
export function purgeHome(home: string): string[] {
  if (!existsSync(home)) return [];
  for (const name of readdirSync(home))
    if (OURS.test(name)) rmSync(join(home, name), { recursive: true, force: true });
  const left = readdirSync(home);
  if (left.length === 0) rmdirSync(home);
  return left;
}

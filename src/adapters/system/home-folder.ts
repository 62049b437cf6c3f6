import { accessSync, constants, existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../domain/errors.ts';

/** Checks that a home is writable, and that other users cannot read it. */
export function homeProblems(home: string): (Problem & { fatal: boolean })[] {
  if (!existsSync(home)) return [];
  const problems: (Problem & { fatal: boolean })[] = [];
  try {
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch {
    problems.push({
      message: `${home} is not writable`,
      hint: `Make it writable: chmod u+rwx ${home}`,
      fatal: true,
    });
    return problems;
  }
  if (process.platform === 'win32') return problems;
  // SQLite's files come and go.
  const modeOf = (name: string) => statSync(join(home, name), { throwIfNoEntry: false })?.mode ?? 0;
  const open = ['', ...readdirSync(home)].filter((name) => (modeOf(name) & 0o077) !== 0);
  if (open.length > 0) {
    const message = `${open.map((name) => name || home).join(', ')} can be read by other users`;
    problems.push({ message, hint: `chmod -R go-rwx ${home}`, fatal: false });
  }
  return problems;
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

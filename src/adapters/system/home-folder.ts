import { accessSync, constants, existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../domain/errors.ts';

/** A home must be writable, and no other user's to read. */
export function homeProblems(home: string): (Problem & { fatal: boolean })[] {
  if (!existsSync(home)) return [];
  const problems: (Problem & { fatal: boolean })[] = [];
  try {
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch {
    problems.push({
      message: `${home} cannot be written`,
      hint: `Make it writable: chmod u+rwx ${home}`,
      fatal: true,
    });
    return problems;
  }
  if (process.platform === 'win32') return problems;
  const open = ['', ...readdirSync(home)].filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0);
  if (open.length > 0) {
    const message = `${open.map((name) => name || home).join(', ')} can be read by others`;
    problems.push({ message, hint: `chmod -R go-rwx ${home}`, fatal: false });
  }
  return problems;
}

/** What smart-fork writes to its home. Other files are the user's: SMART_FORK_HOME may point anywhere. */
const OURS =
  /^(?:(?:index|state)\.db(?:-wal|-shm)?|config\.json|\.env|installed\.json|worker\.\w+|token|spool|logs|archive|tmp|context)$/;

/** Deletes smart-fork's files from its home, and the folder if that leaves it empty. Returns the names of the other files. */
export function purgeHome(home: string): string[] {
  if (!existsSync(home)) return [];
  for (const name of readdirSync(home))
    if (OURS.test(name)) rmSync(join(home, name), { recursive: true, force: true });
  const left = readdirSync(home);
  if (left.length === 0) rmdirSync(home);
  return left;
}

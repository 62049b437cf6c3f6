import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
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

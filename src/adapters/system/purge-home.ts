import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What smart-fork makes in its home. Anything else was put there by somebody, who may have pointed SMART_FORK_HOME anywhere. */
const OURS =
  /^(?:(?:index|state)\.db(?:-wal|-shm)?|config\.json|\.env|installed\.json|worker\.\w+|token|spool|logs|archive|tmp|context)$/;

/** Deletes what smart-fork made in its home, and the folder when nothing else is in it. Returns what stays. */
export function purgeHome(home: string): string[] {
  if (!existsSync(home)) return [];
  for (const name of readdirSync(home))
    if (OURS.test(name)) rmSync(join(home, name), { recursive: true, force: true });
  const left = readdirSync(home);
  if (left.length === 0) rmdirSync(home);
  return left;
}

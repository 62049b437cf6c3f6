import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { ContextFiles } from '../../ports/machine.ts';

const MAX_AGE_MS = 7 * 86_400_000;

/** Context files in a folder of their own. Deleted after a week, because an agent may read one again. */
export function createContextFiles(folder: string, now: () => number): ContextFiles {
  return {
    write(sessionId, markdown) {
      const name = `${nameOf(sessionId)}-${now().toString(36)}.md`;
      const path = join(folder, name);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeOld(folder, now() - MAX_AGE_MS);
        writeFileSync(path, markdown, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        throw new SmartForkError('CONFIG_INVALID', `cannot write ${path}: ${errorText(error)}`, {
          hint: 'Make the folder writable, or set SMART_FORK_HOME to another folder.',
          cause: error,
        });
      }
      return path;
    },
    remove: (path) => rmSync(path, { force: true }),
    removeOf(sessionIds) {
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
      const beginnings = sessionIds.map((id) => `${nameOf(id)}-`);
      for (const name of readdirSync(folder))
        if (beginnings.some((beginning) => name.startsWith(beginning)))
          rmSync(join(folder, name), { force: true });
    },
  };
}

function nameOf(sessionId: string): string {
  return sessionId.replace(/[^\w-]/g, '').slice(0, 36);
}

function removeOld(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (name.endsWith('.md') && stat?.isFile() && stat.mtimeMs < before) rmSync(path, { force: true });
  }
}

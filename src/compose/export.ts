import { join } from 'node:path';
import { createExportFolder, purgeExported } from '../adapters/export/export-folder.ts';
import { findQmd } from '../adapters/export/qmd.ts';
import { type ExportDependencies, exportName } from '../app/export/export-sessions.ts';
import { type Environment, environmentForTools } from '../config/environment.ts';
import { AGENTS } from '../domain/agent/agents.ts';
import { REGISTRY } from '../domain/export/registry-text.ts';
import type { Notice } from '../domain/search-result.ts';
import type { ExportFolder, MarkdownSearch } from '../ports/machine.ts';
import type { Parts } from './parts.ts';
import { programSearch } from './programs.ts';

/**
 * @param path the target folder; null: `export` in smart-fork's home.
 * @param tell gets the notices about sessions that were left out
 */
export async function exportDependencies(
  parts: Parts,
  path: string | null,
  tell?: (notices: Notice[]) => void,
): Promise<ExportDependencies> {
  return {
    store: await parts.store(),
    folder: path === null ? homeFolder(parts) : createExportFolder(path),
    isWhole() {
      const notices = parts.notices();
      tell?.(notices);
      return notices.length === 0;
    },
    now: parts.machine.now,
    indexedAt: () => parts.stateIfAny()?.indexedAt() ?? new Map(),
  };
}

/** Removes sessions exported to smart-fork's home. Other folders are cleaned up by their next export. */
export function removeExported(parts: Parts, sessionIds: string[]): void {
  const folder = homeFolder(parts);
  // The next export lists those that are left.
  folder.remove(REGISTRY);
  for (const session_id of sessionIds)
    for (const agent of AGENTS) folder.remove(exportName({ agent, session_id }));
}

/** Removes everything that is exported to smart-fork's home. */
export function purgeExports(home: string): void {
  purgeExported(exportsIn(home));
}

function homeFolder({ config }: Parts): ExportFolder {
  return createExportFolder(exportsIn(config.home));
}

function exportsIn(home: string): string {
  return join(home, 'export');
}

/** qmd's collections of an export: a folder for each agent. */
export function qmdCollections(folder: string): { name: string; path: string }[] {
  return AGENTS.map((agent) => ({ name: `${agent}-sessions`, path: join(folder, agent) }));
}

/** @throws SmartForkError USAGE if qmd is not installed. */
export function markdownSearch(env: Environment): MarkdownSearch {
  return findQmd(programSearch(env), environmentForTools(env));
}

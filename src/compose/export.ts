import { join } from 'node:path';
import { createExportFolder } from '../adapters/export/export-folder.ts';
import { findQmd } from '../adapters/export/qmd.ts';
import type { ExportDependencies } from '../app/export/export-sessions.ts';
import type { Environment } from '../config/environment.ts';
import type { MarkdownSearch } from '../ports/machine.ts';
import type { Parts } from './parts.ts';
import { programSearch } from './programs.ts';

/** @param path where to export; null: the folder `export` in smart-fork's home. */
export async function exportDependencies(parts: Parts, path: string | null): Promise<ExportDependencies> {
  return {
    store: await parts.store(),
    folder: createExportFolder(path ?? join(parts.config.home, 'export')),
    isWhole: () => parts.notices().length === 0,
  };
}

/** @throws SmartForkError USAGE when qmd is not installed. */
export function markdownSearch(env: Environment): MarkdownSearch {
  return findQmd(programSearch(env));
}

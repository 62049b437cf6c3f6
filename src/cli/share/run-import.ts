import { importLegacy } from '../../app/share/migrate/import-legacy.ts';
import type { MigrateOptions, MigrationReport } from '../../app/share/migrate/migrate-sessions.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { LegacyCollection } from '../../ports/remote-store.ts';
import type { CommandContext } from '../run-command.ts';

/** Imports the Python smart-fork's sessions into a local store, then closes their collection. */
export async function runImport(
  { parts }: CommandContext,
  legacy: LegacyCollection,
  to: PointStore,
  options: MigrateOptions,
): Promise<MigrationReport> {
  const { tokenizer, redactor } = parts;
  try {
    const { chunk: sizes } = await parts.embedding.model();
    return await importLegacy({ legacy, to, tokenizer, redactor, sizes }, options);
  } finally {
    legacy.close();
  }
}

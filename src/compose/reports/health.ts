import { join } from 'node:path';
import { cleanupPeriodDays } from '../../adapters/claude/settings.ts';
import { hooksCodexTrusts } from '../../adapters/codex/hook-trust.ts';
import { checkDatabase } from '../../adapters/sqlite/database/check-database.ts';
import { INDEX_SCHEMA, STATE_SCHEMA } from '../../adapters/sqlite/database/schemas.ts';
import type { Problem } from '../../domain/errors.ts';
import type { SettingsFiles } from '../../ports/agent-settings.ts';
import type { AgentHome } from '../init.ts';

/** Damage in this machine's own databases. Reads them completely. */
export function databaseProblems(home: string): { name: string; problem: Problem }[] {
  const files = [
    { name: 'Store', problem: checkDatabase(join(home, 'index.db'), INDEX_SCHEMA) },
    { name: 'Notes', problem: checkDatabase(join(home, 'state.db'), STATE_SCHEMA) },
  ];
  return files.flatMap(({ name, problem }) => (problem === null ? [] : [{ name, problem }]));
}

/** Events whose hooks Codex does not run because the user has not trusted them. */
export function untrustedEvents({ agent, home, editors }: AgentHome, files: SettingsFiles): string[] {
  const hooks = editors.find(({ part }) => part === 'hooks');
  if (agent !== 'codex' || hooks === undefined) return [];
  const trusts = hooksCodexTrusts(files.read(join(home, 'config.toml')) ?? '', hooks.path);
  return hooks
    .installed(files.read(hooks.path) ?? '')
    .hooks.map(({ event }) => event)
    .filter((event) => !trusts(event));
}

/** Number of days after which Claude Code deletes transcripts; null for another agent, or if the settings are unreadable. */
export function cleanupDays({ agent, home }: AgentHome, files: SettingsFiles): number | null {
  if (agent !== 'claude') return null;
  const path = join(home, 'settings.json');
  try {
    return cleanupPeriodDays(files.read(path) ?? '', path);
  } catch {
    // The check of the hooks reports the unreadable file.
    return null;
  }
}

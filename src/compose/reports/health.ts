import { join } from 'node:path';
import { checkDatabase } from '../../adapters/sqlite/database/check-database.ts';
import { INDEX_SCHEMA, STATE_SCHEMA } from '../../adapters/sqlite/database/schemas.ts';
import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import type { Problem } from '../../domain/errors.ts';
import type { SettingsFiles } from '../../ports/agent-settings.ts';
import { AGENT_SETUPS } from '../agents/setups.ts';
import type { AgentHome } from '../init.ts';

/** Damage in this machine's own databases. Reads them completely. */
export function databaseProblems(home: string): { name: string; problem: Problem }[] {
  const files = [
    { name: 'Store', problem: checkDatabase(join(home, 'index.db'), INDEX_SCHEMA) },
    { name: 'Notes', problem: checkDatabase(join(home, 'state.db'), STATE_SCHEMA) },
  ];
  return files.flatMap(({ name, problem }) => (problem === null ? [] : [{ name, problem }]));
}

/** Events whose hooks the agent does not run because the user has not trusted them. */
export function untrustedEvents({ agent, home, editors }: AgentHome, files: SettingsFiles): string[] {
  const hooks = editors.find(({ part }) => part === 'hooks');
  return hooks === undefined ? [] : (AGENT_SETUPS[agent]?.untrusted?.(home, hooks, files) ?? []);
}

/** Number of days after which the agent deletes transcripts; Infinity if it does not, or if its settings are unreadable. */
export function cleanupDays({ agent, home }: AgentHome, files: SettingsFiles): number {
  try {
    return AGENT_SETUPS[agent]?.cleanupDays?.(home, files) ?? AGENT_ROWS[agent].cleanup?.days ?? Infinity;
  } catch {
    // The check of the hooks reports the unreadable file.
    return Infinity;
  }
}

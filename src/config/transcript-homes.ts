import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_ROWS, type Agent } from '../domain/agent/agents.ts';
import { type Environment, expandHome, filled, userHomeOf } from './environment.ts';

/** The folders in which to look for an agent's transcripts: those set or, by default, also the one in which some versions wrote. */
export function transcriptHomes(agent: Agent, homes: string[], env: Environment): string[] {
  const { folder, inConfig } = AGENT_ROWS[agent].home;
  const userHome = userHomeOf(env);
  const isDefault = homes.length === 1 && homes[0] === expandHome(folder, userHome);
  if (inConfig === undefined || !isDefault) return homes;
  const other = join(filled(env.XDG_CONFIG_HOME) ?? join(userHome, '.config'), inConfig);
  return existsSync(other) ? [...homes, other] : homes;
}

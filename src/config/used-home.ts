import { basename, dirname, sep } from 'node:path';
import { AGENT_ROWS, type Agent } from '../domain/agent/agents.ts';
import { type Environment, expandHome, filled, userHomeOf } from './environment.ts';

/** The home that an agent's program uses if nothing else is said. */
export function usedHome(agent: Agent, env: Environment): string {
  const { folder, variable } = AGENT_ROWS[agent].home;
  const userHome = userHomeOf(env);
  return expandHome((variable === null ? undefined : filled(env[variable])) ?? folder, userHome);
}

/** The variable that makes an agent's program use the home that contains a path; null if the program uses that home anyway. */
export function homeVariable(
  agent: Agent,
  { homes, used }: { homes: string[]; used: string },
  path: string,
): { name: string; value: string } | null {
  const { folder, variable, isParent } = AGENT_ROWS[agent].home;
  const named = (home: string) => (isParent && basename(home) === basename(folder) ? dirname(home) : home);
  const home = homes.find((one) => path.startsWith(one + sep));
  if (variable === null || home === undefined || named(home) === named(used)) return null;
  return { name: variable, value: named(home) };
}

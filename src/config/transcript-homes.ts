import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_ROWS, type Agent } from '../domain/agent/agents.ts';
import { type Environment, expandHome, filled, userHomeOf } from './environment.ts';
import { usedHome } from './used-home.ts';

/** The folders in which to look for an agent's transcripts: those set or, by default, also the others in which it may write. */
export function transcriptHomes(agent: Agent, homes: string[], env: Environment): string[] {
  const { folder, elsewhere = [] } = AGENT_ROWS[agent].home;
  const isOnly = (home: string) => homes.length === 1 && homes[0] === home;
  const isDefault = isOnly(expandHome(folder, userHomeOf(env)));
  if (!isDefault && !isOnly(usedHome(agent, env))) return homes;
  const others = [folder, ...elsewhere]
    .filter((path) => isDefault || path.startsWith('$'))
    .flatMap((path) => expand(path, env) ?? [])
    .filter((path) => existsSync(path));
  return withoutLinked([...homes, ...others]);
}

/** One folder may be a link to another: its transcripts are no copies. */
function withoutLinked(folders: string[]): string[] {
  const real = folders.map((folder) => (existsSync(folder) ? realpathSync(folder) : folder));
  return folders.filter((_, at) => real.indexOf(real[at] ?? '') === at);
}

/** On Linux and Windows, variables move the folders of all programs. */
function expand(path: string, env: Environment): string | undefined {
  const named = path.startsWith('$') ? filled(env[path.slice(1)]) : path;
  if (named !== path) return named === undefined ? undefined : expandHome(named, userHomeOf(env));
  for (const [start, variable] of Object.entries(MOVED)) {
    const moved = path.startsWith(start) ? filled(env[variable]) : undefined;
    if (moved !== undefined) return join(moved, path.slice(start.length));
  }
  return expandHome(path, userHomeOf(env));
}

const MOVED = {
  '~/.config/': 'XDG_CONFIG_HOME',
  '~/.local/share/': 'XDG_DATA_HOME',
  '~/AppData/Roaming/': 'APPDATA',
};

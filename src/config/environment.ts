import { homedir, userInfo } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { AGENT_ROWS, AGENTS } from '../domain/agent/agents.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { Shell } from '../domain/machine/shell.ts';

export type Environment = Record<string, string | undefined>;

/** The environment for front ends: terminal, editor, pager. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The environment for an agent started from inside another agent, without the variables that mark a child, which would save no session. */
export function environmentForAgents(environment: Environment = process.env): Environment {
  return without(environment, [...OF_THE_PARENT, PASSPHRASE]);
}

function without(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

/** Only `smart-fork key create` needs it. */
const PASSPHRASE = 'SMART_FORK_PASSPHRASE';
/** The variables with smart-fork's own secrets; a URL may contain a login. Agents need all but the passphrase, because they start smart-fork. */
export const OWN_SECRETS = ['QDRANT_URL', 'QDRANT_API_KEY', 'SMART_FORK_MEMORY_API_KEY', PASSPHRASE];

const OF_THE_PARENT = Object.values(AGENT_ROWS).flatMap(
  ({ variables: { session, process, project, child } }) =>
    [session, process, project, ...child].filter((name) => name !== null),
);

/**
 * The PATH for programs that smart-fork chooses by name. Leaves out relative and empty entries, which mean the current folder, and the
 * package folders around it that npm puts first: a cloned repository could contain a program of that name.
 */
export function programPath(environment: Environment): string {
  const path = environment.PATH ?? environment.Path ?? '';
  const byNpm = environment.npm_execpath === undefined ? [] : packageFolders(process.cwd());
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !byNpm.includes(resolve(folder)))
    .join(delimiter);
}

/** The environment for such programs: git, a pager, a browser, npm. */
export function environmentForTools(environment: Environment): Environment {
  return without(environmentForOwn(environment), OWN_SECRETS);
}

/** The environment for starting smart-fork itself, by the command that is written to an agent's settings. */
export function environmentForOwn(environment: Environment): Environment {
  const { Path: _, ...rest } = environment;
  return { ...rest, PATH: programPath(environment) };
}

function packageFolders(directory: string): string[] {
  const parent = dirname(directory);
  const own = join(directory, 'node_modules', '.bin');
  return parent === directory ? [own] : [own, ...packageFolders(parent)];
}

/** A variable's text; blank counts as not set. */
export function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** HOME wins on every platform if it is set, so that tests can use a temporary home. */
export function userHomeOf(environment: Environment): string {
  const own = [environment.HOME, environment.USERPROFILE].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  if (own !== undefined) return own;
  // `homedir()` returns even an empty or relative HOME; the user database has the real one.
  try {
    const home = homedir();
    return isAbsolute(home) ? home : userInfo().homedir;
  } catch (error) {
    throw new SmartForkError(
      'CONFIG_INVALID',
      'cannot find your home folder: HOME is not set, and your user has no entry',
      {
        hint: `Set HOME to the folder that contains ${AGENT_ROWS[AGENTS[0]].home.folder.slice(2)}.`,
        cause: error,
      },
    );
  }
}

export function expandHome(path: string, userHome: string): string {
  return resolve(path.replace(/^~(?=$|[\\/])/, () => userHome));
}

/** The folder for smart-fork's own files. */
export function smartForkHome(environment: Environment): string {
  return resolve(filled(environment.SMART_FORK_HOME) ?? join(userHomeOf(environment), '.smart-fork'));
}

/** The Hugging Face cache, shared with other tools. */
export function hubCacheOf(env: Environment): string {
  const cache = filled(env.XDG_CACHE_HOME) ?? join(userHomeOf(env), '.cache');
  return resolve(filled(env.HF_HUB_CACHE) ?? join(filled(env.HF_HOME) ?? join(cache, 'huggingface'), 'hub'));
}

/** Only cmd sets PROMPT, and only Unix-like shells set SHELL on Windows. */
export function shellOf(env: Environment): Shell {
  if (process.platform !== 'win32' || filled(env.SHELL) !== undefined) return 'posix';
  return filled(env.PROMPT) === undefined ? 'powershell' : 'cmd';
}

/** The URL without its user name, password and query, for display. */
export function withoutLogin(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/(?<!\/)\/+$/, '')}`;
}

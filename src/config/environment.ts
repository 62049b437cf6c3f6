import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Shell } from '../domain/machine/shell.ts';

export type Environment = Record<string, string | undefined>;

/** The environment that a front end may look at: the terminal, the editor, the pager. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The environment for an agent started from inside another one. What marks a child would keep it from saving its session. */
export function environmentForAgents(environment: Environment = process.env): Environment {
  const inherited = Object.entries(environment).filter(([name]) => !OF_THE_PARENT.includes(name));
  return Object.fromEntries(inherited);
}

const OF_THE_PARENT = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
];

/** A variable's text; a blank one counts as not set. */
export function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** HOME decides on every platform where it is set, so that a throw-away home holds. */
export function userHomeOf(environment: Environment): string {
  const own = [environment.HOME, environment.USERPROFILE].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  if (own !== undefined) return own;
  // `homedir()` repeats HOME, even an empty or relative one. The system's own entry does not.
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}

export function expandHome(path: string, userHome: string): string {
  return resolve(path.replace(/^~(?=$|[\\/])/, () => userHome));
}

/** The folder of smart-fork's own files. */
export function smartForkHome(environment: Environment): string {
  return resolve(filled(environment.SMART_FORK_HOME) ?? join(userHomeOf(environment), '.smart-fork'));
}

/** The hub's cache, where its other tools look too. */
export function hubCacheOf(env: Environment): string {
  const cache = filled(env.XDG_CACHE_HOME) ?? join(userHomeOf(env), '.cache');
  return resolve(filled(env.HF_HUB_CACHE) ?? join(filled(env.HF_HOME) ?? join(cache, 'huggingface'), 'hub'));
}

/** Claude's file of the user's MCP servers: next to `~/.claude`, but inside a folder that CLAUDE_CONFIG_DIR names. */
export function claudeUserFile(folder: string, env: Environment): string {
  const userHome = userHomeOf(env);
  const isDefault = filled(env.CLAUDE_CONFIG_DIR) === undefined && folder === join(userHome, '.claude');
  return isDefault ? join(userHome, '.claude.json') : join(folder, '.claude.json');
}

/** Only cmd sets PROMPT, and only Unix-like shells set SHELL on Windows. */
export function shellOf(env: Environment): Shell {
  if (process.platform !== 'win32' || filled(env.SHELL) !== undefined) return 'posix';
  return filled(env.PROMPT) === undefined ? 'powershell' : 'cmd';
}

/** A URL as it may be shown: it can hold a password. */
export function withoutLogin(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

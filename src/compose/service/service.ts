import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createLaunchd } from '../../adapters/service/launchd.ts';
import { programRunner } from '../../adapters/service/run-program.ts';
import { createServiceNotes } from '../../adapters/service/service-notes.ts';
import { createSystemd } from '../../adapters/service/systemd.ts';
import { createTaskScheduler } from '../../adapters/service/task-scheduler.ts';
import { createSettingsFiles } from '../../adapters/settings/settings-files.ts';
import type { ServiceDependencies } from '../../app/service/plan-service.ts';
import type { Config } from '../../config/config.ts';
import { type Environment, environmentForTools, filled, userHomeOf } from '../../config/environment.ts';
import { settingRows } from '../../config/settings.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { ServiceJob } from '../../domain/service/service-job.ts';
import type { ServiceManager } from '../../ports/service/service-manager.ts';
import { ownLaunch } from '../init.ts';
import { pathOfProgram, programSearch } from '../programs.ts';

/** @throws SmartForkError USAGE if the system has no supported service manager */
export function serviceDependencies(
  config: Config,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): ServiceDependencies {
  return {
    manager: managerOf(config, env, platform),
    files: createSettingsFiles(() => Date.now()),
    notes: createServiceNotes(config.home),
    fileExists: existsSync,
  };
}

/**
 * How the service starts the server: with absolute paths, and with the variables that name folders. Others may be secrets.
 * @throws SmartForkError USAGE if smart-fork runs from an npm cache
 */
export function serviceJob(
  config: Config,
  env: Environment,
  tokenFile: string | null,
  platform: NodeJS.Platform = process.platform,
): { job: ServiceJob; programs: string[] } {
  const { node, program } = ownLaunch(programSearch(env));
  refuseCache(program);
  const token = tokenFile === null ? [] : ['--token-file', tokenFile];
  return {
    job: {
      command: [node, program, 'serve', ...token],
      environment:
        platform === 'win32' ? foldersOf(config, env) : { ...foldersOf(config, env), PATH: lastingPath(env) },
      log: logOf(config),
      account: [env.USERDOMAIN, env.USERNAME].flatMap((name) => filled(name) ?? []).join('\\'),
    },
    programs: [node, program],
  };
}

/** Variables that configure smart-fork in this shell but will not exist for the service. */
export function unseenVariables({ settings }: Config): string[] {
  return Object.entries(settings)
    .filter(([, { origin }]) => origin === 'environment')
    .flatMap(([key]) => settingRows[key as keyof typeof settingRows].variable ?? [])
    .filter((name) => !FOLDERS.includes(name));
}

export function hasServices(platform: NodeJS.Platform): boolean {
  return ['linux', 'darwin', 'win32'].includes(platform);
}

const FOLDERS = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'HF_HOME'];

/** The folders set by variables in this shell. SMART_FORK_HOME may be relative here, but must be absolute for the service. */
function foldersOf({ home }: Config, env: Environment): Record<string, string> {
  const set = FOLDERS.flatMap((name) => {
    const value = filled(env[name]);
    return value === undefined ? [] : [[name, value]];
  });
  const own = filled(env.SMART_FORK_HOME) === undefined ? {} : { SMART_FORK_HOME: home };
  return { ...own, ...Object.fromEntries(set) };
}

/** The PATH for git and terminals, which the server starts. Without folders that belong to a single shell or package. */
function lastingPath(env: Environment): string {
  const { path = '' } = programSearch(env);
  return path
    .split(':')
    .filter(
      (folder) => !/fnm_multishells|[/]_npx[/]|[/]node_modules[/]/.test(folder) && !/\p{Cc}/u.test(folder),
    )
    .join(':');
}

function refuseCache(program: string): void {
  if (!/[/\\]_npx[/\\]|[/\\]dlx-|[/\\]\.bun[/\\]install[/\\]cache[/\\]/.test(program)) return;
  throw new SmartForkError(
    'USAGE',
    `smart-fork runs from a package cache, which may be cleared at any time: ${program}`,
    {
      hint: 'Install it first: npm install -g smart-fork',
    },
  );
}

function managerOf(config: Config, env: Environment, platform: NodeJS.Platform): ServiceManager {
  const runner = (name: string) => programRunner(name, pathOfProgram(name, env), environmentForTools(env));
  const log = logOf(config);
  if (platform === 'linux') {
    const folder = filled(env.XDG_CONFIG_HOME) ?? join(userHomeOf(env), '.config');
    return createSystemd(join(folder, 'systemd'), runner('systemctl'));
  }
  if (platform === 'darwin') {
    const folder = join(userHomeOf(env), 'Library', 'LaunchAgents');
    return createLaunchd({ folder, log, uid: userInfo().uid }, runner('launchctl'));
  }
  if (platform === 'win32') {
    const system = `${filled(env.SystemRoot) ?? filled(env.SYSTEMROOT) ?? 'C:\\Windows'}\\System32`;
    return createTaskScheduler({ folder: config.home, log, system }, runner('schtasks'));
  }
  throw new SmartForkError('USAGE', `smart-fork service does not support ${platform}`, {
    hint: 'Configure your init system to run: smart-fork serve',
  });
}

function logOf({ home }: Config): string {
  return join(home, 'logs', 'serve.log');
}

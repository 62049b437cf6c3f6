import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  createClaudeHooksEditor,
  createClaudeServerEditor,
  hasClaudePlugin,
} from '../adapters/claude/settings.ts';
import {
  createCodexHooksEditor,
  createCodexServerEditor,
  hasCodexPlugin,
} from '../adapters/codex/settings.ts';
import { createCodexTomlHooksEditor, holdsTomlHooks } from '../adapters/settings/hooks-toml.ts';
import { createInstallRecord } from '../adapters/settings/install-record-file.ts';
import { createSettingsFiles } from '../adapters/settings/settings-files.ts';
import { askServer } from '../adapters/system/ask-server.ts';
import { findProgram, type ProgramSearch, stableNode } from '../adapters/system/find-program.ts';
import { purgeHome } from '../adapters/system/home-folder.ts';
import { startWorker } from '../adapters/system/start-worker.ts';
import { stopWorker } from '../adapters/system/stop-worker.ts';
import { tryHook } from '../adapters/system/try-hook.ts';
import type { SettingsDependencies } from '../app/setup/plan-init.ts';
import type { Config } from '../config/config.ts';
import { claudeUserFile, type Environment, environmentForTools } from '../config/environment.ts';
import { variablesForAgents } from '../config/settings.ts';
import { hookEntries, type Launch, serverEntry } from '../domain/machine/agent-hooks.ts';
import type { Agent } from '../domain/session/session.ts';
import type { EntryProbe, InstalledFile, SettingsEditor, SettingsFiles } from '../ports/agent-settings.ts';
import { purgeExports } from './export.ts';
import { programSearch } from './programs.ts';
import { skillEditor, skillEditors } from './setup/skills.ts';

export { homeProblems } from '../adapters/system/home-folder.ts';

/** An agent's folder on this machine, and its settings files with our entries. */
export interface AgentHome {
  agent: Agent;
  home: string;
  exists: boolean;
  /** Path of the agent's program, found on the PATH. */
  program: string | null;
  /** Whether a plugin already provides the hooks and the server. */
  plugin: boolean;
  /** Whether sessions are suggested with a prompt, which requires a hook for prompts. */
  suggests: boolean;
  editors: SettingsEditor[];
}

export interface AgentSettings extends SettingsDependencies {
  homes: AgentHome[];
  /** Editors for every file that init may have changed, including files in folders no longer configured. */
  everywhere: SettingsEditor[];
  launch: Launch;
  probe: EntryProbe;
  /** Starts a worker in the background unless one is running. */
  startWorker(): void;
  /** Stops the worker and deletes smart-fork's own folder; returns the names of other files left in it. */
  purge(): Promise<string[]>;
}

/** The agents' settings and the entries init writes to them. */
export function composeInit(config: Config, env: Environment): AgentSettings {
  const search = programSearch(env);
  const launch = { ...ownLaunch(search), suggests: config.memory.suggest !== 'off' };
  const files = createSettingsFiles(() => Date.now());
  const record = createInstallRecord(config.home);
  const homes = [
    ...config.claudeHomes.map((home) => claudeHome(home, claudeUserFile(home, env), launch)),
    ...config.codexHomes.map((home) => codexHome(home, launch, files)),
  ].map((found) => ({
    ...found,
    exists: existsSync(found.home),
    program: findProgram(found.agent, search),
    plugin: hasPlugin(found, files),
    suggests: launch.suggests,
  }));
  const known = homes.flatMap(({ editors }) => editors);
  const noted = record.load().map((file) => editorOf(file, launch));
  const others = noted.filter(
    (one) => !known.some(({ path, part }) => path === one.path && part === one.part),
  );
  const probe: EntryProbe = {
    tryHook: (command) => tryHook(command, environmentForTools(env)),
    askServer: (server) => askServer(server, environmentForTools(env)),
  };
  return {
    files,
    record,
    homes,
    launch,
    probe,
    everywhere: [...known, ...others],
    startWorker: () => startWorker(config.home, [launch.node, launch.program, 'worker'], env),
    async purge() {
      await stopWorker(config.home);
      purgeExports(config.home);
      return purgeHome(config.home);
    },
  };
}

/** `suggests`: whether the agents also start it with each prompt. */
type LaunchHere = Launch & { suggests: boolean };
type Found = Pick<AgentHome, 'agent' | 'home' | 'editors'>;

/** The package's own program, `bin` in its package.json. */
export function ownLaunch(search: ProgramSearch): Launch {
  const manifest = new URL('../../package.json', import.meta.url);
  const { bin } = manifestSchema.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  return {
    node: stableNode(process.execPath, search),
    program: fileURLToPath(new URL(bin['smart-fork'], manifest)),
  };
}

/** Folder of the skills in the package. */
const SKILLS = fileURLToPath(new URL('../../plugin/skills/', import.meta.url));

const manifestSchema = z.object({ bin: z.object({ 'smart-fork': z.string() }) });

function claudeHome(home: string, userFile: string, launch: LaunchHere): Found {
  const older = join(home, '.config.json');
  // Claude keeps using the older file if it exists.
  const servers = existsSync(older) ? older : userFile;
  return found('claude', home, { hooks: join(home, 'settings.json'), server: servers }, launch);
}

function codexHome(home: string, launch: LaunchHere, files: SettingsFiles): Found {
  const config = join(home, 'config.toml');
  const hooks = join(home, 'hooks.json');
  const inToml = !existsSync(hooks) && reads(files, config, holdsTomlHooks);
  return found('codex', home, { hooks: inToml ? config : hooks, server: config }, launch);
}

function found(
  agent: Agent,
  home: string,
  paths: { hooks: string; server: string },
  launch: LaunchHere,
): Found {
  const parts = ['hooks', 'server'] as const;
  const entries = parts.map((part) => editorOf({ agent, part, path: paths[part] }, launch));
  return { agent, home, editors: [...entries, ...skillEditors(agent, home, SKILLS)] };
}

function hasPlugin({ agent, home }: Found, files: SettingsFiles): boolean {
  return agent === 'claude'
    ? reads(files, join(home, 'settings.json'), hasClaudePlugin)
    : reads(files, join(home, 'config.toml'), hasCodexPlugin);
}

/** False for an unreadable file: an attempt to change it reports the error. */
function reads(files: SettingsFiles, path: string, ask: (text: string, path: string) => boolean): boolean {
  try {
    return ask(files.read(path) ?? '', path);
  } catch {
    return false;
  }
}

function editorOf(
  { agent, part, path }: Pick<InstalledFile, 'agent' | 'part' | 'path'>,
  launch: LaunchHere,
): SettingsEditor {
  if (part === 'skill') return skillEditor(agent, path, SKILLS);
  if (part === 'server') {
    return agent === 'claude'
      ? createClaudeServerEditor(path, serverEntry(launch))
      : createCodexServerEditor(path, serverEntry(launch), variablesForAgents());
  }
  const hooks = hookEntries(agent, launch, process.platform, launch.suggests);
  if (agent === 'claude') return createClaudeHooksEditor(path, hooks);
  return path.endsWith('.toml')
    ? createCodexTomlHooksEditor(path, hooks)
    : createCodexHooksEditor(path, hooks);
}

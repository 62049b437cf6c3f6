import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createInstallRecord } from '../adapters/settings/install-record-file.ts';
import { createSettingsFiles } from '../adapters/settings/settings-files.ts';
import { askServer } from '../adapters/system/ask-server.ts';
import { type ProgramSearch, stableNode } from '../adapters/system/find-program.ts';
import { purgeHome } from '../adapters/system/home-folder.ts';
import { startWorker } from '../adapters/system/start-worker.ts';
import { stopWorker } from '../adapters/system/stop-worker.ts';
import { tryHook } from '../adapters/system/try-hook.ts';
import type { SettingsDependencies } from '../app/setup/plan-init.ts';
import type { Config } from '../config/config.ts';
import { type Environment, environmentForOwn, userHomeOf } from '../config/environment.ts';
import { variablesForAgents } from '../config/settings.ts';
import { AGENTS, type Agent } from '../domain/agent/agents.ts';
import { hookEntries, type Launch, serverEntry } from '../domain/machine/agent-hooks.ts';
import type {
  AgentSetup,
  EntryProbe,
  InstalledFile,
  SettingsEditor,
  SettingsFiles,
  SetupPlace,
} from '../ports/agent-settings.ts';
import { AGENT_SETUPS } from './agents/setups.ts';
import { purgeExports } from './export.ts';
import { programOf, programSearch } from './programs.ts';
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
  const place = { env, userHome: userHomeOf(env), files };
  const homes = AGENTS.flatMap((agent) =>
    config.homes[agent].flatMap((home) => found(agent, home, place, launch)),
  ).map((one) => ({ ...one, program: programOf(one.agent, search) }));
  const known = homes.flatMap(({ editors }) => editors);
  const noted = record.load().flatMap((file) => editorOf(file, launch));
  const others = noted.filter(
    (one) => !known.some(({ path, part }) => path === one.path && part === one.part),
  );
  const probe: EntryProbe = {
    tryHook: (command) => tryHook(command, environmentForOwn(env)),
    askServer: (server) => askServer(server, environmentForOwn(env)),
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
type Found = Omit<AgentHome, 'program'>;

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

function found(agent: Agent, home: string, place: SetupPlace, launch: LaunchHere): Found[] {
  const setup = AGENT_SETUPS[agent];
  if (setup === undefined) return [];
  const paths = setup.paths(home, place);
  const parts = ['hooks', 'server'] as const;
  const entries = parts.flatMap((part) => editorOf({ agent, part, path: paths[part] }, launch));
  return [
    {
      agent,
      home,
      exists: existsSync(paths.folder),
      editors: [...entries, ...skillEditors(agent, paths.skills, SKILLS)],
      plugin: hasPlugin(setup, home, place.files),
      suggests: launch.suggests && setup.events.includes('UserPromptSubmit'),
    },
  ];
}

/** False for an unreadable file: an attempt to change it reports the error. */
function hasPlugin(setup: AgentSetup, home: string, files: SettingsFiles): boolean {
  try {
    return setup.hasPlugin?.(home, files) ?? false;
  } catch {
    return false;
  }
}

/** None for an agent that cannot be set up. */
function editorOf(
  { agent, part, path }: Pick<InstalledFile, 'agent' | 'part' | 'path'>,
  launch: LaunchHere,
): SettingsEditor[] {
  if (part === 'skill') return [skillEditor(agent, path, SKILLS)];
  const setup = AGENT_SETUPS[agent];
  if (setup === undefined) return [];
  if (part === 'server') {
    const editor = setup.server?.(path, serverEntry(launch), variablesForAgents());
    return editor === undefined ? [] : [editor];
  }
  const entries = hookEntries(agent, launch, process.platform, launch.suggests, setup.events);
  return [setup.hooks(path, entries)];
}

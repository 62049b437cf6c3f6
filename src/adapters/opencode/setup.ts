import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSetup, SetupPlace } from '../../ports/agent-settings.ts';
import { createHookScriptEditor, RUN } from '../settings/hook-script.ts';
import { createServerJsonEditor } from '../settings/server-json.ts';
import { folderOf } from './find-sessions.ts';

/** How `init` sets up OpenCode: it loads every plugin in a folder of its configuration. */
export const opencodeSetup: AgentSetup = {
  paths(home, place) {
    const configured = configurationFolder(place);
    const named = ['opencode.jsonc', 'opencode.json'].map((name) => join(configured, name));
    return {
      folder: folderOf(home),
      hooks: join(configured, 'plugin', 'smart-fork.js'),
      server: named.find((path) => existsSync(path)) ?? join(configured, 'opencode.json'),
      skills: join(configured, 'skills'),
    };
  },
  events: ['Stop'],
  hooks: (path, entries) => createHookScriptEditor('opencode', path, entries, plugin),
  server: (path, entry) =>
    createServerJsonEditor('opencode', path, entry, {
      key: 'mcp',
      inOneList: true,
      more: { type: 'local', enabled: true },
    }),
};

function configurationFolder({ env, userHome }: SetupPlace): string {
  const own = env.OPENCODE_CONFIG_DIR?.trim();
  if (own) return own;
  return join(env.XDG_CONFIG_HOME?.trim() || join(userHome, '.config'), 'opencode');
}

function plugin(commands: string): string {
  return `import { spawn } from "node:child_process";

const COMMANDS = ${commands};

${RUN}
export const SmartFork = async () => ({
  event: async ({ event }) => {
    if (event.type === "session.idle") run(COMMANDS.Stop, { session_id: event.properties.sessionID });
  },
});
`;
}

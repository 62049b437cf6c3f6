import { join } from 'node:path';
import type { AgentSetup } from '../../ports/agent-settings.ts';
import { createHookScriptEditor, RUN } from '../settings/hook-script.ts';

/** How `init` sets up Pi, which takes no MCP servers: skills call the program instead. */
export const piSetup: AgentSetup = {
  paths: (folder) => ({
    folder,
    hooks: join(folder, 'extensions', 'smart-fork.js'),
    server: '',
    skills: join(folder, 'skills'),
  }),
  events: ['Stop', 'SessionEnd'],
  hooks: (path, entries) => createHookScriptEditor('pi', path, entries, extension),
};

function extension(commands: string): string {
  return `import { spawn } from "node:child_process";

const COMMANDS = ${commands};

${RUN}
export default function (pi) {
  const tell = (command) => async (_event, context) => {
    const sessions = context.sessionManager;
    run(command, { session_id: sessions.getSessionId(), transcript_path: sessions.getSessionFile() });
  };
  pi.on("agent_end", tell(COMMANDS.Stop));
  pi.on("session_shutdown", tell(COMMANDS.SessionEnd));
}
`;
}

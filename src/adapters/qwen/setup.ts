import { join } from 'node:path';
import type { AgentSetup } from '../../ports/agent-settings.ts';
import { createHooksJsonEditor } from '../settings/hooks-json.ts';
import { createServerJsonEditor } from '../settings/server-json.ts';

/** How `init` sets up Qwen Code: hooks and server are in one file. */
export const qwenSetup: AgentSetup = {
  paths(folder) {
    const settings = join(folder, 'settings.json');
    return { folder, hooks: settings, server: settings, skills: join(folder, 'skills') };
  },
  events: ['Stop', 'SubagentStop', 'SessionEnd'],
  hooks: (path, entries) => createHooksJsonEditor('qwen', path, entries, { unitsInSecond: 1000 }),
  server: (path, entry) => createServerJsonEditor('qwen', path, entry),
};

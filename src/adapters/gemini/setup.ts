import { join } from 'node:path';
import type { AgentSetup } from '../../ports/agent-settings.ts';
import { createHooksJsonEditor } from '../settings/hooks-json.ts';
import { createServerJsonEditor } from '../settings/server-json.ts';
import { ownFolder } from './find-chats.ts';
import { retentionDays } from './retention.ts';

/** How `init` sets up Gemini CLI: hooks and server are in one file. */
export const geminiSetup: AgentSetup = {
  paths(home) {
    const folder = ownFolder(home);
    return {
      folder,
      hooks: join(folder, SETTINGS),
      server: join(folder, SETTINGS),
      skills: join(folder, 'skills'),
    };
  },
  events: ['Stop', 'SessionEnd'],
  hooks: (path, entries) =>
    createHooksJsonEditor('gemini', path, entries, { names: { Stop: 'AfterAgent' }, unitsInSecond: 1000 }),
  server: (path, entry) => createServerJsonEditor('gemini', path, entry),
  cleanupDays(home, files) {
    const path = join(ownFolder(home), SETTINGS);
    return retentionDays(files.read(path) ?? '', path);
  },
};

const SETTINGS = 'settings.json';

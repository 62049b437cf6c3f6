import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_EVENTS } from '../../domain/machine/agent-hooks.ts';
import type { AgentSetup, SetupPlace } from '../../ports/agent-settings.ts';
import { createHooksJsonEditor } from '../settings/hooks-json.ts';
import { cleanupPeriodDays, createClaudeServerEditor, hasClaudePlugin } from './settings.ts';

/** How `init` sets up Claude Code. */
export const claudeSetup: AgentSetup = {
  paths(home, place) {
    const older = join(home, '.config.json');
    // Claude keeps using the older file if it exists.
    return {
      folder: home,
      hooks: join(home, SETTINGS),
      server: existsSync(older) ? older : userFile(home, place),
      skills: join(home, 'skills'),
    };
  },
  events: ALL_EVENTS,
  hooks: (path, entries) => createHooksJsonEditor('claude', path, entries),
  server: createClaudeServerEditor,
  hasPlugin: (home, files) => hasClaudePlugin(files.read(join(home, SETTINGS)) ?? '', join(home, SETTINGS)),
  cleanupDays: (home, files) =>
    cleanupPeriodDays(files.read(join(home, SETTINGS)) ?? '', join(home, SETTINGS)),
};

const SETTINGS = 'settings.json';

/** The file with the user's MCP servers: next to `~/.claude`, but inside CLAUDE_CONFIG_DIR if that is set. */
function userFile(home: string, { userHome, env }: SetupPlace): string {
  const isMoved = (env.CLAUDE_CONFIG_DIR ?? '').trim() !== '';
  const isDefault = !isMoved && home === join(userHome, '.claude');
  return isDefault ? join(userHome, '.claude.json') : join(home, '.claude.json');
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_EVENTS } from '../../domain/machine/agent-hooks.ts';
import type { AgentSetup, SettingsFiles } from '../../ports/agent-settings.ts';
import { createHooksJsonEditor } from '../settings/hooks-json.ts';
import { hooksCodexTrusts } from './hook-trust.ts';
import { createCodexTomlHooksEditor, holdsTomlHooks } from './hooks-toml.ts';
import { createCodexServerEditor, hasCodexPlugin } from './settings.ts';

/** How `init` sets up Codex. */
export const codexSetup: AgentSetup = {
  paths(home, { files }) {
    const config = join(home, CONFIG);
    const hooks = join(home, 'hooks.json');
    return {
      folder: home,
      hooks: !existsSync(hooks) && hasTomlHooks(config, files) ? config : hooks,
      server: config,
      skills: join(home, 'skills'),
    };
  },
  events: ALL_EVENTS,
  hooks: (path, entries) =>
    path.endsWith('.toml')
      ? createCodexTomlHooksEditor(path, entries)
      : createHooksJsonEditor('codex', path, entries),
  server: createCodexServerEditor,
  hasPlugin: (home, files) => hasCodexPlugin(files.read(join(home, CONFIG)) ?? '', join(home, CONFIG)),
  untrusted(home, hooks, files) {
    const trusts = hooksCodexTrusts(files.read(join(home, CONFIG)) ?? '', hooks.path);
    const { hooks: installed } = hooks.installed(files.read(hooks.path) ?? '');
    return installed.map(({ event }) => event).filter((event) => !trusts(event));
  },
};

const CONFIG = 'config.toml';

/** False for an unreadable file: an attempt to change it reports the error. */
function hasTomlHooks(path: string, files: SettingsFiles): boolean {
  try {
    return holdsTomlHooks(files.read(path) ?? '', path);
  } catch {
    return false;
  }
}

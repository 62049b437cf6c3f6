import {
  type HookEntry,
  isOurServer,
  SERVER_NAME,
  type ServerEntry,
} from '../../domain/machine/agent-hooks.ts';
import type { SettingsEditor, SettingsState } from '../../ports/agent-settings.ts';
import { createHooksJsonEditor } from '../settings/hooks-json.ts';
import { isRecord, refused } from '../settings/json-file.ts';
import {
  appendTable,
  checkTomlEdit,
  parseToml,
  removeTable,
  setInTable,
  tableAt,
} from '../settings/toml-file.ts';

/** Codex's hooks.json. */
export function createCodexHooksEditor(path: string, entries: HookEntry[]): SettingsEditor {
  return createHooksJsonEditor('codex', path, entries);
}

/** `[mcp_servers.smart-fork]` in Codex's config.toml. */
export function createCodexServerEditor(path: string, wanted: ServerEntry): SettingsEditor {
  const find = (text: string) => tableAt(parseToml(text, path), TABLE);
  const checked = (before: string, after: string) => {
    if (before !== after) checkTomlEdit(before, after, path, TABLE);
    return after;
  };
  const state = (text: string) => stateOf(find(text), wanted);
  return {
    agent: 'codex',
    part: 'server',
    path,
    state,
    add(text) {
      const found = state(text);
      if (found === 'current' || found === 'other') return text;
      const after =
        found === 'absent' ? appendTable(text, TABLE, tableOf(wanted)) : update(text, wanted, path);
      checked(text, after);
      if (state(after) !== 'current') throw refused(path, 'has no place for another MCP server');
      return after;
    },
    remove: (text) => (ours(find(text)) === null ? text : checked(text, removeTable(text, TABLE, path))),
    containers: () => [],
    installed: (text) => ({ hooks: [], server: ours(find(text)) }),
  };
}

/** Whether config.toml enables the plugin, which brings hooks and server. */
export function hasCodexPlugin(text: string, path: string): boolean {
  const plugins = parseToml(text, path).plugins;
  if (!isRecord(plugins)) return false;
  return Object.entries(plugins).some(
    ([name, plugin]) => name.startsWith(`${SERVER_NAME}@`) && isRecord(plugin) && plugin.enabled !== false,
  );
}

const TABLE = ['mcp_servers', SERVER_NAME];

/** Codex hands a server hardly any of its environment: these are what smart-fork looks at. */
const VARIABLES = [
  'SMART_FORK_HOME',
  'SMART_FORK_MACHINE',
  'SMART_FORK_MODEL',
  'SMART_FORK_MODEL_DIR',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'HF_HOME',
  'HF_ENDPOINT',
  'QDRANT_URL',
  'QDRANT_API_KEY',
];

function tableOf({ command, args }: ServerEntry): Record<string, unknown> {
  return { command, args, env_vars: VARIABLES };
}

function update(text: string, { command, args }: ServerEntry, path: string): string {
  return setInTable(setInTable(text, TABLE, 'command', command, path), TABLE, 'args', args, path);
}

function stateOf(table: unknown, wanted: ServerEntry): SettingsState {
  if (table === undefined) return 'absent';
  const entry = ours(table);
  if (entry === null) return 'other';
  return JSON.stringify(entry) === JSON.stringify(wanted) ? 'current' : 'outdated';
}

function ours(table: unknown): ServerEntry | null {
  if (!isRecord(table) || typeof table.command !== 'string' || !Array.isArray(table.args)) return null;
  const entry = { command: table.command, args: table.args.map(String) };
  return isOurServer(entry) ? entry : null;
}

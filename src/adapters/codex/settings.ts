import { isRecord } from '../../domain/is-record.ts';
import { SERVER_NAME, type ServerEntry } from '../../domain/machine/agent-hooks.ts';
import type { SettingsEditor, SettingsState } from '../../ports/agent-settings.ts';
import { refused, sameValue } from '../settings/json-file.ts';
import { ourServer } from '../settings/our-entries.ts';
import {
  appendTable,
  checkTomlEdit,
  parseToml,
  removeTable,
  setInTable,
  tableAt,
} from '../settings/toml-file.ts';

/**
 * `[mcp_servers.smart-fork]` in Codex's config.toml.
 * @param variables that Codex must pass to the server; by default, it passes almost none.
 */
export function createCodexServerEditor(
  path: string,
  wanted: ServerEntry,
  variables: readonly string[],
): SettingsEditor {
  const find = (text: string) => tableAt(parseToml(text, path), TABLE);
  const checked = (before: string, after: string) => {
    if (before !== after) checkTomlEdit(before, after, path, TABLE);
    return after;
  };
  const missing = (table: unknown) => variables.filter((name) => !handedOver(table).includes(name));
  const state = (text: string): SettingsState => {
    const table = find(text);
    if (table === undefined) return 'absent';
    const entry = ourServer(table);
    if (entry === null) return 'other';
    return sameValue(entry, wanted) && missing(table).length === 0 ? 'current' : 'outdated';
  };
  /** Variables and limits added by the user stay. */
  const update = (text: string) => {
    const table = find(text);
    const entries = { ...wanted, env_vars: [...handedOver(table), ...missing(table)] };
    return Object.entries(entries)
      .filter(([key, value]) => !isRecord(table) || !sameValue(table[key], value))
      .reduce((out, [key, value]) => setInTable(out, TABLE, key, value, path), text);
  };
  return {
    agent: 'codex',
    part: 'server',
    path,
    state,
    add(text) {
      const found = state(text);
      if (found === 'current' || found === 'other') return text;
      const after =
        found === 'absent' ? appendTable(text, TABLE, { ...wanted, env_vars: variables }) : update(text);
      checked(text, after);
      if (state(after) !== 'current') throw refused(path, 'cannot take another MCP server');
      return after;
    },
    remove: (text) => (ourServer(find(text)) === null ? text : checked(text, removeTable(text, TABLE, path))),
    containers: () => [],
    installed: (text) => ({ hooks: [], server: ourServer(find(text)) }),
  };
}

/** Whether config.toml enables the plugin, which includes the hooks and the server. */
export function hasCodexPlugin(text: string, path: string): boolean {
  const plugins = parseToml(text, path).plugins;
  if (!isRecord(plugins)) return false;
  return Object.entries(plugins).some(
    ([name, plugin]) => name.startsWith(`${SERVER_NAME}@`) && isRecord(plugin) && plugin.enabled !== false,
  );
}

const TABLE = ['mcp_servers', SERVER_NAME];

function handedOver(table: unknown): unknown[] {
  return isRecord(table) && Array.isArray(table.env_vars) ? table.env_vars : [];
}

import { getNodeValue, type Node } from 'jsonc-parser';
import { isRecord } from '../../domain/is-record.ts';
import { type HookEntry, SERVER_NAME, type ServerEntry } from '../../domain/machine/agent-hooks.ts';
import type { SettingsEditor, SettingsState } from '../../ports/agent-settings.ts';
import { insertLast, removeItem, renderJson, replaceNode } from '../settings/edit-json.ts';
import { createHooksJsonEditor } from '../settings/hooks-json.ts';
import {
  bodyOf,
  checkEdit,
  containerOf,
  editJson,
  parseSettingsJson,
  propertyOf,
  refused,
  sameValue,
} from '../settings/json-file.ts';
import { ourServer } from '../settings/our-entries.ts';

/** The hooks in Claude Code's settings.json. */
export function createClaudeHooksEditor(path: string, entries: HookEntry[]): SettingsEditor {
  return createHooksJsonEditor('claude', path, entries);
}

/** `mcpServers` in the file that `claude mcp add -s user` writes. */
export function createClaudeServerEditor(path: string, wanted: ServerEntry): SettingsEditor {
  const checked = (before: string, after: string) => {
    if (before !== after) checkEdit(before, after, path, withoutServer);
    return after;
  };
  const find = (text: string) => findServer(parseSettingsJson(bodyOf(text), path), path);
  return {
    agent: 'claude',
    part: 'server',
    path,
    state: (text) => stateOf(find(text).value, wanted),
    add: (text) =>
      checked(
        text,
        editJson(text, (body) => add(body, wanted, path)),
      ),
    remove: (text, keep) =>
      checked(
        text,
        editJson(text, (body) => remove(body, keep, path)),
      ),
    containers: (text) => (find(text).servers === undefined ? [] : ['mcpServers']),
    installed: (text) => ({ hooks: [], server: ours(find(text).value) }),
  };
}

/** Whether settings.json enables the plugin, which includes the hooks and the server. */
export function hasClaudePlugin(text: string, path: string): boolean {
  const plugins = propertyOf(parseSettingsJson(bodyOf(text), path), 'enabledPlugins', path);
  const value: unknown = plugins === undefined ? {} : getNodeValue(plugins);
  return (
    isRecord(value) &&
    Object.entries(value).some(([name, enabled]) => name.startsWith(`${SERVER_NAME}@`) && enabled === true)
  );
}

/** The user's number of days after which Claude Code deletes transcripts; null if not set. */
export function cleanupPeriodDays(text: string, path: string): number | null {
  const node = propertyOf(parseSettingsJson(bodyOf(text), path), 'cleanupPeriodDays', path);
  const days: unknown = node === undefined ? undefined : getNodeValue(node);
  return typeof days === 'number' ? days : null;
}

interface Found {
  servers: Node | undefined;
  value: Node | undefined;
}

function findServer(root: Node, path: string): Found {
  const servers = containerOf(root, 'mcpServers', 'object', path);
  return { servers, value: servers === undefined ? undefined : propertyOf(servers, SERVER_NAME, path) };
}

function stateOf(node: Node | undefined, wanted: ServerEntry): SettingsState {
  if (node === undefined) return 'absent';
  const entry = ours(node);
  if (entry === null) return 'other';
  return sameValue(entry, wanted) ? 'current' : 'outdated';
}

function ours(node: Node | undefined): ServerEntry | null {
  return node === undefined ? null : ourServer(getNodeValue(node));
}

function add(text: string, wanted: ServerEntry, path: string): string {
  const root = parseSettingsJson(text, path);
  const { servers, value } = findServer(root, path);
  const state = stateOf(value, wanted);
  if (state === 'other' || state === 'current') return text;
  if (value !== undefined) return update(text, wanted, path);
  const entry = { type: 'stdio', ...wanted };
  if (servers === undefined) {
    return insertLast(text, root, (style) => `"mcpServers": ${renderJson({ [SERVER_NAME]: entry }, style)}`);
  }
  return insertLast(text, servers, (style) => `"${SERVER_NAME}": ${renderJson(entry, style)}`);
}

/** Changes only the program. Variables and limits added by the user stay. */
function update(text: string, wanted: ServerEntry, path: string): string {
  let out = text;
  for (const key of ['command', 'args'] as const) {
    const { value } = findServer(parseSettingsJson(out, path), path);
    const node = value === undefined ? undefined : propertyOf(value, key, path);
    if (node === undefined) throw refused(path, `has no ${key} for ${SERVER_NAME}`);
    out = replaceNode(out, node, wanted[key]);
  }
  return out;
}

function remove(text: string, keep: readonly string[], path: string): string {
  const { servers, value } = findServer(parseSettingsJson(text, path), path);
  if (value?.parent === undefined || ours(value) === null) return text;
  const alone = servers?.children?.length === 1 && !keep.includes('mcpServers');
  return removeItem(text, alone && servers?.parent !== undefined ? servers.parent : value.parent);
}

function withoutServer(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.mcpServers)) return value;
  const { mcpServers, ...rest } = value;
  const others = Object.entries(mcpServers).filter(([name]) => name !== SERVER_NAME);
  return others.length === 0 ? rest : { ...rest, mcpServers: Object.fromEntries(others) };
}

import { getNodeValue, type Node } from 'jsonc-parser';
import type { Agent } from '../../domain/agent/agents.ts';
import { isRecord } from '../../domain/is-record.ts';
import { SERVER_NAME, type ServerEntry } from '../../domain/machine/agent-hooks.ts';
import type { SettingsEditor, SettingsState } from '../../ports/agent-settings.ts';
import { insertLast, removeItem, renderJson, replaceNode } from './edit-json.ts';
import {
  bodyOf,
  checkEdit,
  containerOf,
  editJson,
  parseSettingsJson,
  propertyOf,
  refused,
  sameValue,
} from './json-file.ts';
import { ourServer } from './our-entries.ts';

/** Where an agent's JSON differs from Claude Code's. */
interface ServerDialect {
  /** The object with the servers. */
  key?: string;
  /** Whether `command` is a list with the arguments in it. */
  inOneList?: boolean;
  /** What an entry needs besides its program. */
  more?: Record<string, unknown>;
}

/** Edits our MCP server in JSON: `mcpServers` in most agents' settings. */
export function createServerJsonEditor(
  agent: Agent,
  path: string,
  wanted: ServerEntry,
  { key = 'mcpServers', inOneList = false, more = {} }: ServerDialect = {},
): SettingsEditor {
  const program = inOneList ? { command: [wanted.command, ...wanted.args] } : { ...wanted };
  const find = (text: string): Found => {
    const servers = containerOf(parseSettingsJson(bodyOf(text), path), key, 'object', path);
    return { servers, value: servers === undefined ? undefined : propertyOf(servers, SERVER_NAME, path) };
  };
  const ours = ({ value }: Found): ServerEntry | null =>
    value === undefined ? null : ourServer(inOneList ? split(getNodeValue(value)) : getNodeValue(value));
  const state = (text: string): SettingsState => {
    const found = find(text);
    if (found.value === undefined) return 'absent';
    const entry = ours(found);
    if (entry === null) return 'other';
    return sameValue(entry, wanted) ? 'current' : 'outdated';
  };
  const add = (text: string): string => {
    const { servers } = find(text);
    const known = state(text);
    if (known === 'other' || known === 'current') return text;
    if (known === 'outdated') return update(text);
    const entry = { ...more, ...program };
    if (servers !== undefined)
      return insertLast(text, servers, (style) => `"${SERVER_NAME}": ${renderJson(entry, style)}`);
    const root = parseSettingsJson(text, path);
    return insertLast(text, root, (style) => `"${key}": ${renderJson({ [SERVER_NAME]: entry }, style)}`);
  };
  /** Changes only the program. Variables and limits added by the user stay. */
  const update = (text: string): string =>
    Object.entries(program).reduce((out, [name, value]) => {
      const server = find(out).value;
      const node = server === undefined ? undefined : propertyOf(server, name, path);
      if (node === undefined) throw refused(path, `has no ${name} for ${SERVER_NAME}`);
      return replaceNode(out, node, value);
    }, text);
  const remove = (text: string, keep: readonly string[]): string => {
    const found = find(text);
    const { servers, value } = found;
    if (value?.parent === undefined || ours(found) === null) return text;
    const alone = servers?.children?.length === 1 && !keep.includes(key);
    return removeItem(text, alone && servers?.parent !== undefined ? servers.parent : value.parent);
  };
  const checked = (before: string, edit: (body: string) => string) => {
    const after = editJson(before, edit);
    if (before !== after) checkEdit(before, after, path, (value) => withoutServer(value, key));
    return after;
  };
  return {
    agent,
    part: 'server',
    path,
    state,
    add: (text) => checked(text, add),
    remove: (text, keep) => checked(text, (body) => remove(body, keep)),
    containers: (text) => (find(text).servers === undefined ? [] : [key]),
    installed: (text) => ({ hooks: [], server: ours(find(text)) }),
  };
}

interface Found {
  servers: Node | undefined;
  value: Node | undefined;
}

function split(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value.command)) return value;
  const [command, ...args]: unknown[] = value.command;
  return { command, args };
}

function withoutServer(value: unknown, key: string): unknown {
  if (!isRecord(value)) return value;
  const { [key]: servers, ...rest } = value;
  if (!isRecord(servers)) return value;
  const others = Object.entries(servers).filter(([name]) => name !== SERVER_NAME);
  return others.length === 0 ? rest : { ...rest, [key]: Object.fromEntries(others) };
}

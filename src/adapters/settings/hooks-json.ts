import { getNodeValue, type Node } from 'jsonc-parser';
import type { Agent } from '../../domain/agent/agents.ts';
import { type HookEntry, isOurHook } from '../../domain/machine/agent-hooks.ts';
import type { InstalledEntries, SettingsEditor } from '../../ports/agent-settings.ts';
import { insertLast, removeItem, renderJson, replaceNode } from './edit-json.ts';
import { bodyOf, checkEdit, containerOf, editJson, parseSettingsJson, propertyOf } from './json-file.ts';
import { isHookEvent, withoutOurHooks } from './our-entries.ts';

/** Edits hooks in JSON: Claude's settings.json and Codex's hooks.json have the same shape. */
export function createHooksJsonEditor(agent: Agent, path: string, entries: HookEntry[]): SettingsEditor {
  const add = (text: string) =>
    editJson(text, (body) =>
      entries.reduce((out, one) => addOne(out, one, path), withoutUnwanted(body, entries, path)),
    );
  return {
    agent,
    part: 'hooks',
    path,
    add: (text) => checked(text, add(text), path),
    remove: (text, keep) =>
      checked(
        text,
        editJson(text, (body) => removeAll(body, keep, path)),
        path,
      ),
    containers: (text) => containersIn(parse(text, path), path),
    installed: (text) => ({ hooks: entriesIn(parse(text, path), path), server: null }),
    state(text) {
      if (entriesIn(parse(text, path), path).length === 0) return 'absent';
      return add(text) === text ? 'current' : 'outdated';
    },
  };
}

interface Handler {
  event: string;
  command: Node;
  /** The node to remove: the handler, or its group if that contains nothing else. */
  item: Node;
}

/** The text without our hooks on events that should have none any more. */
function withoutUnwanted(text: string, entries: HookEntry[], path: string): string {
  const root = parse(text, path);
  const unwanted = handlersIn(root, path).find(
    ({ event }) => isHookEvent(event) && !entries.some((entry) => entry.event === event),
  );
  if (unwanted === undefined) return text;
  const out = removeWhenEmpty(removeItem(text, unwanted.item), ['hooks', unwanted.event], [], path);
  return withoutUnwanted(out, entries, path);
}

function addOne(text: string, entry: HookEntry, path: string): string {
  const { event, command, timeout } = entry;
  const root = parse(text, path);
  const [first, second] = handlersIn(root, path).filter((handler) => handler.event === event);
  if (second !== undefined) return addOne(removeItem(text, second.item), entry, path);
  if (first !== undefined)
    return first.command.value === command ? text : replaceNode(text, first.command, command);
  const group = { hooks: [{ type: 'command', command, timeout }] };
  const hooks = containerOf(root, 'hooks', 'object', path);
  if (hooks === undefined)
    return insertLast(text, root, (style) => `"hooks": ${renderJson({ [event]: [group] }, style)}`);
  const list = containerOf(hooks, event, 'array', path);
  if (list === undefined)
    return insertLast(text, hooks, (style) => `"${event}": ${renderJson([group], style)}`);
  return insertLast(text, list, (style) => renderJson(group, style));
}

function removeAll(text: string, keep: readonly string[], path: string): string {
  const root = parse(text, path);
  const handler = handlersIn(root, path).at(-1);
  if (handler === undefined) return text;
  let out = removeItem(text, handler.item);
  out = removeWhenEmpty(out, ['hooks', handler.event], keep, path);
  out = removeWhenEmpty(out, ['hooks'], keep, path);
  return removeAll(out, keep, path);
}

function removeWhenEmpty(text: string, names: string[], keep: readonly string[], path: string): string {
  if (keep.includes(names.join('.'))) return text;
  let at: Node | undefined = parse(text, path);
  for (const name of names) at = at === undefined ? undefined : propertyOf(at, name, path);
  return at?.children?.length === 0 && at.parent !== undefined ? removeItem(text, at.parent) : text;
}

function handlersIn(root: Node, path: string): Handler[] {
  const hooks = containerOf(root, 'hooks', 'object', path);
  return (hooks?.children ?? []).flatMap(({ children = [] }) => {
    const [name, list] = children;
    if (list?.type !== 'array') return [];
    return (list.children ?? []).flatMap((group) => handlersOf(String(name?.value), group, path));
  });
}

function handlersOf(event: string, group: Node, path: string): Handler[] {
  const list = group.type === 'object' ? propertyOf(group, 'hooks', path) : undefined;
  if (list?.type !== 'array') return [];
  const all = list.children ?? [];
  return all.flatMap((handler) => {
    const command = handler.type === 'object' ? propertyOf(handler, 'command', path) : undefined;
    if (typeof command?.value !== 'string' || !isOurHook(command.value)) return [];
    return [{ event, command, item: all.length === 1 ? group : handler }];
  });
}

function entriesIn(root: Node, path: string): InstalledEntries['hooks'] {
  return handlersIn(root, path).flatMap(({ event, command }) =>
    isHookEvent(event) ? [{ event, command: String(command.value) }] : [],
  );
}

function containersIn(root: Node, path: string): string[] {
  const hooks = containerOf(root, 'hooks', 'object', path);
  if (hooks === undefined) return [];
  return ['hooks', ...Object.keys(getNodeValue(hooks)).map((event) => `hooks.${event}`)];
}

function checked(before: string, after: string, path: string): string {
  if (before !== after) checkEdit(before, after, path, withoutOurHooks);
  return after;
}

function parse(text: string, path: string): Node {
  return parseSettingsJson(bodyOf(text), path);
}

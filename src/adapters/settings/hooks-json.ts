import { getNodeValue, type Node } from 'jsonc-parser';
import type { Agent } from '../../domain/agent/agents.ts';
import { ALL_EVENTS, type HookEntry, type HookEvent, isOurHook } from '../../domain/machine/agent-hooks.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';
import { insertLast, removeItem, renderJson, replaceNode } from './edit-json.ts';
import { bodyOf, checkEdit, containerOf, editJson, parseSettingsJson, propertyOf } from './json-file.ts';
import { withoutOurHooks } from './our-entries.ts';

/** Where an agent's JSON differs from Claude Code's. */
interface HooksDialect {
  /** The agent's own names of events. */
  names?: Partial<Record<HookEvent, string>>;
  /** Of a timeout in its settings, in a second. */
  unitsInSecond?: number;
}

/** Edits hooks in JSON: most agents' settings have the shape of Claude Code's. */
export function createHooksJsonEditor(
  agent: Agent,
  path: string,
  wanted: HookEntry[],
  { names = {}, unitsInSecond = 1 }: HooksDialect = {},
): SettingsEditor {
  const nameOf = (event: HookEvent) => names[event] ?? event;
  const entries = wanted.map((entry) => ({
    ...entry,
    event: nameOf(entry.event),
    timeout: entry.timeout * unitsInSecond,
  }));
  const eventsOf = (text: string) =>
    handlersIn(parse(text, path), path).flatMap(({ event, command }) =>
      ALL_EVENTS.filter((one) => nameOf(one) === event).map((one) => ({
        event: one,
        command: String(command.value),
      })),
    );
  const add = (text: string) =>
    editJson(text, (body) =>
      entries.reduce(
        (out, one) => addOne(out, one, path),
        withoutUnwanted(body, ALL_EVENTS.map(nameOf), entries, path),
      ),
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
    installed: (text) => ({ hooks: eventsOf(text), server: null }),
    state(text) {
      if (eventsOf(text).length === 0) return 'absent';
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

/** An entry with the agent's name of its event. */
type NamedEntry = Omit<HookEntry, 'event'> & { event: string };

/** The text without our hooks on events that should have none any more. */
function withoutUnwanted(text: string, known: string[], entries: NamedEntry[], path: string): string {
  const root = parse(text, path);
  const unwanted = handlersIn(root, path).find(
    ({ event }) => known.includes(event) && !entries.some((entry) => entry.event === event),
  );
  if (unwanted === undefined) return text;
  const out = removeWhenEmpty(removeItem(text, unwanted.item), ['hooks', unwanted.event], [], path);
  return withoutUnwanted(out, known, entries, path);
}

function addOne(text: string, entry: NamedEntry, path: string): string {
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

import { isRecord } from '../../domain/is-record.ts';
import {
  HOOK_EVENTS,
  type HookEvent,
  isOurHook,
  isOurServer,
  type ServerEntry,
} from '../../domain/machine/agent-hooks.ts';

/** An MCP server's entry, if it starts smart-fork. */
export function ourServer(value: unknown): ServerEntry | null {
  if (!isRecord(value) || typeof value.command !== 'string' || !Array.isArray(value.args)) return null;
  const entry = { command: value.command, args: value.args.map(String) };
  return isOurServer(entry) ? entry : null;
}

/** A settings file's value without our hooks and the containers they leave empty. */
export function withoutOurHooks(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.hooks)) return value;
  const { hooks, ...rest } = value;
  const events = Object.entries(hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [[event, groups]];
    const left = groups.flatMap(groupWithoutOurs);
    return left.length === 0 ? [] : [[event, left]];
  });
  return events.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(events) };
}

export function isHookEvent(event: string): event is HookEvent {
  return Object.hasOwn(HOOK_EVENTS, event);
}

/** A group that also contains another program's hook stays, with that hook. */
function groupWithoutOurs(group: unknown): unknown[] {
  if (!isRecord(group) || !Array.isArray(group.hooks)) return [group];
  const all: unknown[] = group.hooks;
  const left = all.filter(
    (one) => !(isRecord(one) && typeof one.command === 'string' && isOurHook(one.command)),
  );
  return left.length === 0 && all.length > 0 ? [] : [{ ...group, hooks: left }];
}

import { isRecord } from '../../domain/is-record.ts';
import { type HookEntry, isOurHook } from '../../domain/machine/agent-hooks.ts';
import type { InstalledEntries, SettingsEditor } from '../../ports/agent-settings.ts';
import { asList } from '../jsonl/read-value.ts';
import { refused, sameValue } from '../settings/json-file.ts';
import { isHookEvent, withoutOurHooks } from '../settings/our-entries.ts';
import { appendText, cutSection, parseToml, tomlLines } from '../settings/toml-file.ts';

/** Edits `[[hooks.Stop]]` in Codex's config.toml, for users who have hooks there: Codex warns about hooks in two places. */
export function createCodexTomlHooksEditor(path: string, entries: HookEntry[]): SettingsEditor {
  const installed = (text: string) => entriesIn(parseToml(text, path));
  const isCurrent = (text: string) => sameValue(sorted(installed(text)), sorted(entries));
  return {
    agent: 'codex',
    part: 'hooks',
    path,
    installed: (text) => ({ hooks: installed(text), server: null }),
    containers: () => [],
    state(text) {
      if (installed(text).length === 0) return 'absent';
      return isCurrent(text) ? 'current' : 'outdated';
    },
    add(text) {
      if (isCurrent(text)) return text;
      const after = appendText(removeAll(text, path), entries.map(sectionOf).join('\n\n'));
      if (!isCurrent(after) || !sameButOurs(text, after, path))
        throw refused(path, 'cannot take another hook');
      return after;
    },
    remove: (text) => removeAll(text, path),
  };
}

/** Whether config.toml configures hooks. `hooks.state` does not count: it only records which ones the user trusts. */
export function holdsTomlHooks(text: string, path: string): boolean {
  const { hooks } = parseToml(text, path);
  return isRecord(hooks) && Object.values(hooks).some(Array.isArray);
}

type Installed = InstalledEntries['hooks'];

function sectionOf({ event, command, timeout }: HookEntry): string {
  const lines = tomlLines({ type: 'command', command, timeout });
  return [`[[hooks.${event}]]`, `[[hooks.${event}.hooks]]`, ...lines].join('\n');
}

function removeAll(text: string, path: string): string {
  let out = text;
  for (let left = installed(out, path); left > 0; left = installed(out, path)) {
    const before = out;
    const wanted = left - 1;
    const after = cutSection(
      before,
      GROUP,
      (candidate) =>
        parses(candidate) && installed(candidate, path) === wanted && sameButOurs(before, candidate, path),
    );
    if (after === null)
      throw refused(path, "has smart-fork's hooks in a form that cannot be removed line by line");
    out = after;
  }
  return out;
}

const GROUP = /^[ \t]*\[\[\s*hooks\s*\.\s*\w+\s*\]\]/gm;

function installed(text: string, path: string): number {
  return entriesIn(parseToml(text, path)).length;
}

function parses(text: string): boolean {
  try {
    parseToml(text, '');
    return true;
  } catch {
    // A cut in the wrong place makes invalid TOML.
    return false;
  }
}

function entriesIn(value: Record<string, unknown>): Installed {
  const hooks = isRecord(value.hooks) ? value.hooks : {};
  return Object.entries(hooks).flatMap(([event, groups]) =>
    isHookEvent(event) ? commandsIn(groups).map((command) => ({ event, command })) : [],
  );
}

function commandsIn(groups: unknown): string[] {
  const handlers = asList(groups).flatMap((group) => asList(isRecord(group) ? group.hooks : []));
  return handlers.flatMap((one) =>
    isRecord(one) && typeof one.command === 'string' && isOurHook(one.command) ? [one.command] : [],
  );
}

function sameButOurs(before: string, after: string, path: string): boolean {
  return sameValue(withoutOurHooks(parseToml(before, path)), withoutOurHooks(parseToml(after, path)));
}

function sorted(entries: Installed): Installed {
  const bare = entries.map(({ event, command }) => ({ event, command }));
  return bare.toSorted((a, b) => a.event.localeCompare(b.event));
}

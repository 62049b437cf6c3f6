import type { HookEntry, ServerEntry } from '../domain/agent-hooks.ts';
import type { Agent } from '../domain/session.ts';

export type SettingsPart = 'hooks' | 'server';

/** absent: none of our entries. outdated: of another installation, or not all of them. other: our name, but not our program. */
export type SettingsState = 'absent' | 'current' | 'outdated' | 'other';

/**
 * Our entries in one of an agent's settings files: its hooks, or the MCP server. Everything works on text; nothing is
 * read or written. The text of a file that is not there is ''.
 *
 * What is not ours stays as it is to the byte, comments and order too. A text that cannot be parsed, or in which our
 * entries have no place, is refused with CONFIG_INVALID. `add` of a text that it returned changes nothing.
 */
export interface SettingsEditor {
  agent: Agent;
  part: SettingsPart;
  path: string;
  state(text: string): SettingsState;
  /** The text with our entries, each once. Entries under our name that are not ours are left alone. */
  add(text: string): string;
  /** The text without our entries and without what they leave empty, except the containers named in `keep`. */
  remove(text: string, keep: readonly string[]): string;
  /** Which of the containers that `add` would make are there: `hooks`, `hooks.Stop`, `mcpServers`. */
  containers(text: string): string[];
  installed(text: string): InstalledEntries;
}

/** What an agent would run. */
export interface InstalledEntries {
  hooks: Pick<HookEntry, 'event' | 'command'>[];
  server: ServerEntry | null;
}

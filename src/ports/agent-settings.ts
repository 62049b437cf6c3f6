import type { HookEntry, ServerEntry } from '../domain/machine/agent-hooks.ts';
import type { Agent } from '../domain/session/session.ts';

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

/** An agent's program as a shell would find it. */
export interface AgentProgram {
  path: string;
  /** As in `2.1.329`; null when it does not say. */
  version: string | null;
}

/** Looks a program up on PATH and asks its version; null when it is not there. Never throws. */
export type FindAgentProgram = (name: string) => Promise<AgentProgram | null>;

export interface HookTrial {
  /** Null when it was ended from outside. */
  exitCode: number | null;
  ms: number;
  /** What it printed, which should be nothing. */
  output: string;
  /** Whether it left a job for the worker. */
  leftJob: boolean;
}

export type ServerAnswer =
  | { ok: true; name: string; version: string; ms: number }
  | { ok: false; reason: string };

/** Tries what is registered with the agents, as they would start it. Both have a time limit, and neither throws. */
export interface EntryProbe {
  /** Runs a hook with an empty stdin in a throw-away home, where it starts no worker. */
  tryHook(command: string): Promise<HookTrial>;
  /** Starts an MCP server, asks it to initialize, and ends it. */
  askServer(server: ServerEntry): Promise<ServerAnswer>;
}

/** What init did to one file, so that uninstall can undo just that. */
export interface InstalledFile {
  agent: Agent;
  part: SettingsPart;
  path: string;
  /** Whether the file was there before. */
  existed: boolean;
  /** Containers that were there before, and stay. */
  keep: string[];
  /** `sha256:` of the text that init wrote. */
  written: string;
  /** Turns the text that init wrote into the one before, in UTF-16 units. */
  undo: { offset: number; inserted: number; removed: string };
  backup: string | null;
}

/** Kept in smart-fork's home. A record that is missing or cannot be read is empty. */
export interface InstallRecord {
  load(): InstalledFile[];
  save(files: InstalledFile[]): void;
}

/** The files of other programs that init changes. Errors are CONFIG_INVALID and name the file. */
export interface SettingsFiles {
  /** Null when there is none. A file that is not UTF-8 is refused: writing it back would change it. */
  read(path: string): string | null;
  /**
   * Replaces the file as a whole or not at all; null deletes it. Its permissions stay, a new file is its owner's alone.
   * Where the path is a link, the file it leads to is replaced.
   */
  write(path: string, text: string | null): void;
  /** Copies the file beside itself, readable by its owner alone, and returns the copy's path. */
  backUp(path: string): string;
  delete(path: string): void;
}

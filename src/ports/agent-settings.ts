import type { Agent } from '../domain/agent/agents.ts';
import type { HookEntry, HookEvent, ServerEntry } from '../domain/machine/agent-hooks.ts';

type SettingsPart = 'hooks' | 'server' | 'skill';

/** absent: no entries of ours. outdated: incomplete, or from another installation. other: our name, but not our program. */
export type SettingsState = 'absent' | 'current' | 'outdated' | 'other';

/**
 * Our entries in an agent's file: its hooks, its MCP server, or a skill, which has a file of its own. Works on text and touches no
 * file. The text of a missing file is ''.
 *
 * All other text stays the same byte for byte, comments and order included. Text that cannot be parsed, or has no place
 * for our entries, is refused with CONFIG_INVALID. `add` is idempotent.
 */
export interface SettingsEditor {
  agent: Agent;
  part: SettingsPart;
  path: string;
  state(text: string): SettingsState;
  /** The text with our entries, each once. Entries that have our name but are not ours are left alone. */
  add(text: string): string;
  /** The text without our entries and without the containers this leaves empty, except those in `keep`. */
  remove(text: string, keep: readonly string[]): string;
  /** Dotted paths of the existing containers that `add` would create: `hooks`, `hooks.Stop`, `mcpServers`. */
  containers(text: string): string[];
  installed(text: string): InstalledEntries;
}

/** The entries that an agent would run. */
export interface InstalledEntries {
  hooks: Pick<HookEntry, 'event' | 'command'>[];
  server: ServerEntry | null;
}

interface AgentProgram {
  path: string;
  /** As in `2.1.329`; null if unknown. */
  version: string | null;
}

/** Finds a program on PATH and its version; null if there is none. Never throws. */
export type FindAgentProgram = (name: string) => Promise<AgentProgram | null>;

export interface HookTrial {
  /** Null if it was killed. */
  exitCode: number | null;
  ms: number;
  /** Should be empty. */
  output: string;
  /** Whether it left a job for the worker. */
  leftJob: boolean;
}

export type ServerAnswer =
  | { ok: true; name: string; version: string; ms: number }
  | { ok: false; reason: string };

/** Runs the registered entries as the agents would. Both have a time limit; neither throws. */
export interface EntryProbe {
  /** Runs a hook with empty stdin in a temporary home, where it starts no worker. */
  tryHook(command: string): Promise<HookTrial>;
  /** Starts an MCP server, initializes it, and stops it. */
  askServer(server: ServerEntry): Promise<ServerAnswer>;
}

/** What init changed in a file, so that uninstall can undo it. */
export interface InstalledFile {
  agent: Agent;
  part: SettingsPart;
  path: string;
  /** Whether the file existed before. */
  existed: boolean;
  /** Dotted paths of containers that already existed and therefore stay. */
  keep: string[];
  /** `sha256:` of the text that init wrote. */
  written: string;
  /** The edit that turns the text written by init back into the previous one. Offsets are in UTF-16 units. */
  undo: { offset: number; inserted: number; removed: string };
  backup: string | null;
  /** The folders that were made for it, the innermost first; absent if it was recorded without them. */
  folders?: string[];
}

/** Stored in smart-fork's home. A missing or unreadable record is empty. */
export interface InstallRecord {
  load(): InstalledFile[];
  save(files: InstalledFile[]): void;
}

/** Files of other programs that init changes. Errors are CONFIG_INVALID and name the file. */
export interface SettingsFiles {
  /** Null for a missing file. A file that is not UTF-8 is refused: writing it back would change it. */
  read(path: string): string | null;
  /**
   * Replaces or, for null, deletes the file atomically. Keeps the permissions; a new file is readable only by its owner.
   * If the path is a link, its target is replaced.
   */
  write(path: string, text: string | null): void;
  /** Copies the file next to itself, readable only by the owner, and returns the copy's path. */
  backUp(path: string): string;
  delete(path: string): void;
  /** The folders of a file that are missing, the innermost first. */
  missingFolders(path: string): string[];
  /** Removes those of these folders that are empty, in this order. */
  removeEmpty(folders: string[]): void;
}

/** What an agent's settings may depend on. */
export interface SetupPlace {
  env: Record<string, string | undefined>;
  userHome: string;
  files: SettingsFiles;
}

/** How an agent is set up: where its settings are in a home, and the editors of our entries. */
export interface AgentSetup {
  paths(home: string, place: SetupPlace): SetupPaths;
  /** The events for which it can start a hook. */
  readonly events: readonly HookEvent[];
  hooks(path: string, entries: HookEntry[]): SettingsEditor;
  /**
   * Absent if it takes no MCP servers.
   * @param variables those that the agent must pass to the server, if it passes only listed ones
   */
  server?(path: string, entry: ServerEntry, variables: string[]): SettingsEditor;
  /** Whether the plugin is on, which includes the hooks and the server. Throws for an unreadable file. Absent: there is no plugin. */
  hasPlugin?(home: string, files: SettingsFiles): boolean;
  /** Events whose hooks the agent does not run because the user has not trusted them. Absent: it runs all. */
  untrusted?(home: string, hooks: SettingsEditor, files: SettingsFiles): string[];
  /**
   * The number of days after which it deletes transcripts, by the user's settings; Infinity if never, null if nothing is set. Throws for
   * an unreadable file.
   */
  cleanupDays?(home: string, files: SettingsFiles): number | null;
}

interface SetupPaths {
  /** The agent's own folder, which exists if the agent was used. */
  folder: string;
  hooks: string;
  server: string;
  /** The folder with a folder for each skill. */
  skills: string;
}

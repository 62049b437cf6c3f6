import type { Agent } from '../domain/session.ts';
import type { SettingsPart } from './agent-settings.ts';

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

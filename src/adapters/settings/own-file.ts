import type { Agent } from '../../domain/agent/agents.ts';
import type { InstalledEntries, SettingsEditor } from '../../ports/agent-settings.ts';

interface OwnFile {
  agent: Agent;
  part: SettingsEditor['part'];
  path: string;
  /** What the file should contain. */
  wanted: string;
  isOurs(text: string): boolean;
  /** Absent if the file has no hooks. */
  hooks?(text: string): InstalledEntries['hooks'];
}

/** Edits a file that is entirely ours: a skill, or a program that an agent loads. */
export function createOwnFileEditor({ agent, part, path, wanted, isOurs, hooks }: OwnFile): SettingsEditor {
  return {
    agent,
    part,
    path,
    state(text) {
      if (text === '') return 'absent';
      if (text === wanted) return 'current';
      return isOurs(text) ? 'outdated' : 'other';
    },
    add: (text) => (text === '' || isOurs(text) ? wanted : text),
    remove: (text) => (isOurs(text) ? '' : text),
    containers: () => [],
    installed: (text) => ({ hooks: hooks?.(text) ?? [], server: null }),
  };
}

import type { Agent } from '../../domain/agent/agents.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';

/** Edits a skill, a file that is entirely ours. */
export function createSkillEditor(agent: Agent, path: string, wanted: string): SettingsEditor {
  return {
    agent,
    part: 'skill',
    path,
    state(text) {
      if (text === '') return 'absent';
      if (text === wanted) return 'current';
      return isOurs(text) ? 'outdated' : 'other';
    },
    add: (text) => (text === '' || isOurs(text) ? wanted : text),
    remove: (text) => (isOurs(text) ? '' : text),
    containers: () => [],
    installed: () => ({ hooks: [], server: null }),
  };
}

/** Recognizes our skills by the permission to call our tools. */
function isOurs(text: string): boolean {
  return /^---\n(?:.*\n)*?allowed-tools: .*\bmcp__smart-fork__/.test(text);
}

import type { Agent } from '../../domain/agent/agents.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';
import { createOwnFileEditor } from './own-file.ts';

export function createSkillEditor(agent: Agent, path: string, wanted: string): SettingsEditor {
  return createOwnFileEditor({ agent, part: 'skill', path, wanted, isOurs });
}

/** Recognizes our skills by the permission to call our tools. */
function isOurs(text: string): boolean {
  return /^---\n(?:.*\n)*?allowed-tools: .*\bmcp__smart-fork__/.test(text);
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createSkillEditor } from '../../adapters/settings/skill-file.ts';
import type { Config } from '../../config/config.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';

/** Editors for the shipped skills in an agent's folder. All agents that have skills expect them at the same place in it. */
export function skillEditors(agent: Agent, home: string, shipped: string): SettingsEditor[] {
  return readdirSync(shipped)
    .sort()
    .map((name) => skillEditor(agent, skillPath(home, name), shipped));
}

export function skillEditor(agent: Agent, path: string, shipped: string): SettingsEditor {
  const file = skillFile(shipped, basename(dirname(path)));
  return createSkillEditor(agent, path, existsSync(file) ? readFileSync(file, 'utf8') : '');
}

/** Whether `init` has installed a skill for an agent. */
export function hasSkill({ homes }: Config, agent: Agent, name: string): boolean {
  return homes[agent].some((home) => existsSync(skillPath(home, name)));
}

function skillPath(home: string, name: string): string {
  return skillFile(join(home, 'skills'), name);
}

function skillFile(folder: string, name: string): string {
  return join(folder, name, 'SKILL.md');
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createSkillEditor } from '../../adapters/settings/skill-file.ts';
import type { Config } from '../../config/config.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';

/** Editors for the shipped skills in an agent's folder. Claude Code and Codex expect them at the same place in it. */
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
export function hasSkill({ claudeHomes, codexHomes }: Config, agent: Agent, name: string): boolean {
  const homes = agent === 'claude' ? claudeHomes : codexHomes;
  return homes.some((home) => existsSync(skillPath(home, name)));
}

function skillPath(home: string, name: string): string {
  return skillFile(join(home, 'skills'), name);
}

function skillFile(folder: string, name: string): string {
  return join(folder, name, 'SKILL.md');
}

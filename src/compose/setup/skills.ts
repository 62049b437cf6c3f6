import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createSettingsFiles } from '../../adapters/settings/settings-files.ts';
import { createSkillEditor } from '../../adapters/settings/skill-file.ts';
import { readRegularText } from '../../adapters/system/regular-file.ts';
import type { Config } from '../../config/config.ts';
import { type Environment, userHomeOf } from '../../config/environment.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';
import { AGENT_SETUPS } from '../agents/setups.ts';

/** Editors for the shipped skills in an agent's folder of skills. */
export function skillEditors(agent: Agent, folder: string, shipped: string): SettingsEditor[] {
  return readdirSync(shipped)
    .sort()
    .map((name) => skillEditor(agent, skillFile(folder, name), shipped));
}

export function skillEditor(agent: Agent, path: string, shipped: string): SettingsEditor {
  const file = skillFile(shipped, basename(dirname(path)));
  return createSkillEditor(agent, path, existsSync(file) ? readRegularText(file) : '');
}

/** Whether `init` has installed a skill for an agent. */
export function hasSkill({ homes }: Config, env: Environment, agent: Agent, name: string): boolean {
  const place = { env, userHome: userHomeOf(env), files: createSettingsFiles(() => Date.now()) };
  const folders = homes[agent].flatMap((home) => AGENT_SETUPS[agent]?.paths(home, place).skills ?? []);
  return folders.some((folder) => existsSync(skillFile(folder, name)));
}

function skillFile(folder: string, name: string): string {
  return join(folder, name, 'SKILL.md');
}

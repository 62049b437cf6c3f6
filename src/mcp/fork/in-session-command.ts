import { AGENT_ROWS, AGENTS, type Agent } from '../../domain/agent/agents.ts';
import { shortId } from '../../domain/session/session-id.ts';

export interface SkillPlaces {
  /** Whether the plugin provides the skills. */
  fromPlugin: boolean;
  /** Whether `init` installed the skill for this agent. */
  isInstalled(agent: Agent, name: string): boolean;
}

/**
 * What to type to continue a session in the running conversation: our skill, which loads its context, or a request for the tool if the
 * skill is missing. The agents have no command of their own for that. Claude Code accepts a skill's bare name, even from a plugin; Codex
 * requires the plugin's name.
 */
export function inSessionCommand(client: string, skills: SkillPlaces, sessionId: string): string {
  const named = AGENTS.filter((one) => client.toLowerCase().includes(one));
  // The longest, because one name can be part of another.
  const agent = named.toSorted((a, b) => b.length - a.length)[0] ?? AGENTS[0];
  const { fromPlugin } = skills;
  if (!fromPlugin && !skills.isInstalled(agent, SKILL))
    return `Continue from session ${shortId(sessionId)}: load it with get_session_context`;
  const { mark, fromPlugin: prefix } = AGENT_ROWS[agent].skills;
  return `${mark}${fromPlugin ? prefix : ''}${SKILL} ${sessionId}`;
}

const SKILL = 'fork-session';

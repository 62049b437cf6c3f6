import { AGENT_ROWS, AGENTS, type Agent } from './agents.ts';

/** A table with an entry for each agent. */
export function byAgent<T>(make: (agent: Agent) => T): Record<Agent, T> {
  return Object.fromEntries(AGENTS.map((agent) => [agent, make(agent)])) as Record<Agent, T>;
}

/** The agents' names in a sentence: `Claude Code or Codex`. */
export function namesOf(agents: readonly Agent[], word: 'and' | 'or'): string {
  const names = agents.map((agent) => AGENT_ROWS[agent].name);
  return names.join(', ').replace(/, ([^,]+)$/, ` ${word} $1`);
}

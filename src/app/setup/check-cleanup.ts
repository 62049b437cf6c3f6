import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import { plural } from '../../domain/text/time-text.ts';

/** Whether transcripts survive an agent's cleanup. `days` has an entry for each of its folders; none: it deletes nothing. */
export function checkCleanup(agent: Agent, days: number[], isArchived: boolean): HealthCheck[] {
  const { name: agentName, cleanup } = AGENT_ROWS[agent];
  if (!days.some(Number.isFinite) || cleanup === null) return [];
  const name = 'Clean-up';
  const fact = `${agentName} deletes transcripts after ${plural(Math.min(...days), 'day')} (${cleanup.setting})`;
  if (isArchived) return [{ name, status: 'ok', message: `${fact}; the archive keeps copies` }];
  const fix = `Archive them: smart-fork config set archive.enabled true. Or raise ${cleanup.setting} in ${cleanup.file}.`;
  return [{ name, status: 'warn', message: `${fact}, and archiving is off`, fix }];
}

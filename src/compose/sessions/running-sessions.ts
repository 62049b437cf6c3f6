import { listAncestors } from '../../adapters/process/list-ancestors.ts';
import { environmentForTools, processEnvironment } from '../../config/environment.ts';
import type { Parts } from '../parts.ts';

/** The ids of the conversations from which this process was started, as the agent names them now. */
export function runningSessions({ config, sources }: Pick<Parts, 'config' | 'sources'>): string[] {
  const { agentProcess, currentSessionId } = config;
  const openIn = (pid: number) => sources.flatMap(({ processes }) => processes?.session(pid) ?? []);
  // Without the agent's variable, the process may have any conversation open.
  if (currentSessionId === null) return openIn(agentProcess);
  for (const pid of listAncestors(agentProcess, environmentForTools(processEnvironment()))) {
    const open = openIn(pid);
    if (open.length > 0) return open;
  }
  // The environment still contains the old session after the conversation was cleared.
  return [currentSessionId];
}

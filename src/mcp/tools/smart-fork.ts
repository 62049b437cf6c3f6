import { AGENTS } from '../../domain/agent/agents.ts';
import type { Tool } from '../tool.ts';
import { forkDetect } from './fork-detect.ts';

/**
 * fork_detect by the name and with the defaults of the proposal for claude-team: sessions of Claude Code in the caller's project, with
 * whole snippets. Not listed, because every conversation pays for the list.
 */
export const smartFork: Tool = {
  ...forkDetect,
  name: 'smart_fork',
  async run(input, call) {
    const given = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
    const agent = given.collection === undefined ? AGENTS[0] : undefined;
    const project = given.scope === undefined ? await call.project() : null;
    const standard = { agent_type: agent, project_path: project ?? undefined, include_snippets: true };
    const filled = Object.entries({ ...standard, ...given }).filter(([, value]) => value != null);
    return forkDetect.run(Object.fromEntries(filled), call);
  },
};

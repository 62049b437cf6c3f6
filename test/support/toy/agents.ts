import type { AgentRow } from '../../../src/domain/agent/agents.ts';
import { AGENTS as OTHERS, AGENT_ROWS as ROWS } from '../../../src/domain/agent/agents.ts';

/** Takes the place of src/domain/agent/agents.ts in the program with the toy agent. */
const toy: AgentRow = {
  name: 'Toy Agent',
  shortName: 'Toy',
  spoken: 'toy(?: agent)?',
  program: null,
  home: { folder: '~/.toy', variable: 'TOY_HOME' },
  variables: { session: null, process: null, project: null, child: [] },
  skills: { mark: '/', fromPlugin: '' },
  pluginVerb: 'install',
  hooks: { endSeconds: 10, trust: null },
  cleanup: null,
};

export const AGENT_ROWS = { ...ROWS, toy };
export const AGENTS = [...OTHERS, 'toy'];

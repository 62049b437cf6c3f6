// Written by `npm run derive` from the rows in src/domain/agent/agents.ts.
import type { Agent } from '../../domain/agent/agents.ts';

/** The agents' names in lists. */
export const AGENT_NAMES: Record<Agent, string> = {
  claude: 'Claude',
  codex: 'Codex',
  opencode: 'OpenCode',
  pi: 'Pi',
  copilot: 'Copilot',
  gemini: 'Gemini',
  qwen: 'Qwen',
  cursor: 'Cursor',
  vscode: 'VS Code',
  cline: 'Cline',
  roo: 'Roo',
  goose: 'Goose',
};

import { claudeSetup } from '../../adapters/claude/setup.ts';
import { codexSetup } from '../../adapters/codex/setup.ts';
import { copilotSetup } from '../../adapters/copilot/setup.ts';
import { geminiSetup } from '../../adapters/gemini/setup.ts';
import { opencodeSetup } from '../../adapters/opencode/setup.ts';
import { piSetup } from '../../adapters/pi/setup.ts';
import { qwenSetup } from '../../adapters/qwen/setup.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { AgentSetup } from '../../ports/agent-settings.ts';

/** How `init` sets up each agent. One without hooks has no entry. */
export const AGENT_SETUPS: Partial<Record<Agent, AgentSetup>> = {
  claude: claudeSetup,
  codex: codexSetup,
  opencode: opencodeSetup,
  pi: piSetup,
  copilot: copilotSetup,
  gemini: geminiSetup,
  qwen: qwenSetup,
};

import { claudeSetup } from '../../adapters/claude/setup.ts';
import { codexSetup } from '../../adapters/codex/setup.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { AgentSetup } from '../../ports/agent-settings.ts';

/** How `init` sets up each agent. One without hooks and MCP servers has no entry. */
export const AGENT_SETUPS: Partial<Record<Agent, AgentSetup>> = { claude: claudeSetup, codex: codexSetup };

// Written by `npm run derive` from the rows in src/domain/agent/agents.ts.
import { createClaudeSource } from '../../adapters/claude/source.ts';
import { createCodexSource } from '../../adapters/codex/source.ts';
import { createCopilotSource } from '../../adapters/copilot/source.ts';
import { createGeminiSource } from '../../adapters/gemini/source.ts';
import { createOpencodeSource } from '../../adapters/opencode/source.ts';
import { createPiSource } from '../../adapters/pi/source.ts';
import { createQwenSource } from '../../adapters/qwen/source.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

type Create = (options: { homes: string[] }) => TranscriptSource;

/**
 * The transcripts of each agent in its folders. Every search loads those of agents that it may start; `setups.ts` has what `init`
 * needs.
 */
export const AGENT_SOURCES: Record<Agent, () => Create | Promise<Create>> = {
  claude: () => createClaudeSource,
  codex: () => createCodexSource,
  opencode: () => createOpencodeSource,
  pi: () => createPiSource,
  copilot: () => createCopilotSource,
  gemini: () => createGeminiSource,
  qwen: () => createQwenSource,
  cursor: () => import('../../adapters/cursor/source.ts').then((source) => source.createCursorSource),
  vscode: () => import('../../adapters/vscode/source.ts').then((source) => source.createVscodeSource),
  cline: () => import('../../adapters/cline/source.ts').then((source) => source.createClineSource),
  roo: () => import('../../adapters/roo/source.ts').then((source) => source.createRooSource),
  goose: () => import('../../adapters/goose/source.ts').then((source) => source.createGooseSource),
};

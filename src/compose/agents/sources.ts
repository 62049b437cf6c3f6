// Written by `npm run derive` from the rows in src/domain/agent/agents.ts.
import { createClaudeSource } from '../../adapters/claude/source.ts';
import { createClineSource } from '../../adapters/cline/source.ts';
import { createCodexSource } from '../../adapters/codex/source.ts';
import { createCopilotSource } from '../../adapters/copilot/source.ts';
import { createCursorSource } from '../../adapters/cursor/source.ts';
import { createGeminiSource } from '../../adapters/gemini/source.ts';
import { createGooseSource } from '../../adapters/goose/source.ts';
import { createOpencodeSource } from '../../adapters/opencode/source.ts';
import { createPiSource } from '../../adapters/pi/source.ts';
import { createQwenSource } from '../../adapters/qwen/source.ts';
import { createRooSource } from '../../adapters/roo/source.ts';
import { createVscodeSource } from '../../adapters/vscode/source.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

/** The transcripts of each agent in its folders. Every search loads these; `setups.ts` has what `init` needs. */
export const AGENT_SOURCES: Record<Agent, (options: { homes: string[] }) => TranscriptSource> = {
  claude: createClaudeSource,
  codex: createCodexSource,
  opencode: createOpencodeSource,
  pi: createPiSource,
  copilot: createCopilotSource,
  gemini: createGeminiSource,
  qwen: createQwenSource,
  cursor: createCursorSource,
  vscode: createVscodeSource,
  cline: createClineSource,
  roo: createRooSource,
  goose: createGooseSource,
};

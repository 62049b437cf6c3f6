import { join } from 'node:path';
import type { RecentDependencies } from '../../app/extractor/read-recent-sessions.ts';
import type { IndexDependencies } from '../../app/index/index-transcripts.ts';
import { environmentForAgents } from '../../config/environment.ts';
import type { ExtractorSettings } from '../../config/extractor.ts';
import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { AgentDialect, LanguageModel } from '../../ports/extractor/language-model.ts';
import type { Parts } from '../parts.ts';
import { programOf, programSearch } from '../programs.ts';

/** The dependencies for reading sessions with a model; null unless the user has enabled that. */
export async function extractorDependencies(
  { config }: Pick<Parts, 'config'>,
  index: IndexDependencies,
): Promise<RecentDependencies | null> {
  const { extractor } = config;
  if (extractor === null) return null;
  return {
    ...index,
    languageModel: await openModel(extractor, config.home),
    budget: extractor.budget,
    done: new Set(),
  };
}

async function openModel(settings: ExtractorSettings, home: string): Promise<LanguageModel> {
  if (settings.kind === 'endpoint') {
    const { createEndpointModel } = await import('../../adapters/extractor/endpoint-model.ts');
    return createEndpointModel(settings);
  }
  const { createAgentModel } = await import('../../adapters/extractor/agent-model.ts');
  const dialect = await DIALECTS[settings.agent]?.();
  const env = { ...environmentForAgents(), SMART_FORK_CHILD: '1' };
  const program = programOf(settings.agent, programSearch(env));
  if (dialect === undefined) throw cannotAnswer(settings.agent);
  return createAgentModel({ ...settings, dialect, program, env, folder: join(home, 'extractor') });
}

/** The agents whose row has a `model`. */
const DIALECTS: Partial<Record<Agent, () => Promise<AgentDialect>>> = {
  claude: async () => (await import('../../adapters/claude/dialect.ts')).claudeDialect,
  codex: async () => (await import('../../adapters/codex/dialect.ts')).codexDialect,
};

function cannotAnswer(agent: Agent): SmartForkError {
  const message = `${AGENT_ROWS[agent].name} cannot answer questions without a session`;
  const hint = 'Choose another agent: smart-fork config set memory.agent …';
  return new SmartForkError('MODEL_UNAVAILABLE', message, { hint });
}

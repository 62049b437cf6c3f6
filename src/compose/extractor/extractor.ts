import { join } from 'node:path';
import type { RecentDependencies } from '../../app/extractor/read-recent-sessions.ts';
import type { IndexDependencies } from '../../app/index/index-transcripts.ts';
import { environmentForAgents } from '../../config/environment.ts';
import type { ExtractorSettings } from '../../config/extractor.ts';
import type { LanguageModel } from '../../ports/extractor/language-model.ts';
import type { Parts } from '../parts.ts';
import { pathOfProgram } from '../programs.ts';

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
  const env = { ...environmentForAgents(), SMART_FORK_CHILD: '1' };
  const program = pathOfProgram(settings.agent, env);
  return createAgentModel({ ...settings, program, env, folder: join(home, 'extractor') });
}

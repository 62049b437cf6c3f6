import { AGENT_ROWS, type Agent } from '../domain/agent/agents.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { ResolvedSettings } from './resolve-settings.ts';

/** The model that reads sessions, and its daily limits. */
export type ExtractorSettings = { budget: { callsPerDay: number; tokensPerDay: number } } & (
  | { kind: 'agent'; agent: Agent; model: string }
  | { kind: 'endpoint'; url: string; model: string; apiKey: string | null }
);

/**
 * Null if no model reads sessions.
 * @throws SmartForkError CONFIG_INVALID if a setting is missing.
 */
export function extractorOf({ get }: ResolvedSettings): ExtractorSettings | null {
  const kind = get('memory.extractor');
  if (kind === 'none') return null;
  const budget = { callsPerDay: get('memory.calls_per_day'), tokensPerDay: get('memory.tokens_per_day') };
  if (kind === 'agent') {
    const agent = get('memory.agent');
    const model = get('memory.model') ?? AGENT_ROWS[agent].model?.cheapest ?? missing('memory.model');
    return { kind, agent, model, budget };
  }
  const url = get('memory.endpoint') ?? missing('memory.endpoint');
  return {
    kind,
    url,
    model: get('memory.model') ?? missing('memory.model'),
    apiKey: get('memory.api_key'),
    budget,
  };
}

function missing(key: string): never {
  throw new SmartForkError('CONFIG_INVALID', `memory.extractor needs ${key}`, {
    hint: `smart-fork config set ${key} …, or smart-fork config set memory.extractor none`,
  });
}

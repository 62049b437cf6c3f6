import {
  embeddedWith,
  howToFind,
  type IndexedModel,
  PULL,
  SET_FOLDER,
} from '../../domain/model/missing-model.ts';
import { checkOf, type HealthCheck } from '../../domain/server-state.ts';
import { lacksRuntime, type ModelState } from '../../ports/embedder.ts';

export interface ModelFacts extends IndexedModel {
  /** The id of the configured model; null if it is unknown. */
  configured: string | null;
  state: ModelState;
}

/** What `doctor` and `status` say about the embedding model. */
export function checkModel(facts: ModelFacts): HealthCheck {
  const { configured, state, indexed } = facts;
  if (state.state === 'server')
    return { name: 'Model', status: 'ok', message: `${configured}: ${state.place} embeds with it` };
  const isOther = indexed !== null && configured !== null && indexed !== configured;
  if (state.state === 'ready')
    return isOther ? otherModel(facts, configured) : ready(configured, state.directory);
  if (state.state === 'broken')
    return checkOf('Model', 'fail', { message: state.reason, hint: `${PULL}, or ${SET_FOLDER}` });
  if (lacksRuntime(state)) return withoutRuntime(facts);
  // Keyword search is a choice, until the index has vectors.
  if (indexed === null)
    return {
      ...{ name: 'Model', status: 'note', fix: `${PULL}, or ${SET_FOLDER}` },
      message: `${configured ?? 'the model'} is not installed: search is by keyword only`,
    };
  return {
    ...{ name: 'Model', status: 'warn', fix: howToFind(facts) },
    message: `${embeddedWith(facts)}, which is not found here: search is by keyword only`,
  };
}

function ready(configured: string | null, directory: string): HealthCheck {
  return { name: 'Model', status: 'ok', message: `${configured ?? 'from a folder'} in ${directory}` };
}

function otherModel(facts: ModelFacts, configured: string): HealthCheck {
  const back = facts.lastFolder === null ? `use ${facts.indexed} again` : howToFind(facts);
  return {
    ...{ name: 'Model', status: 'fail', fix: `${back}, or rebuild the index: smart-fork reindex` },
    message: `${embeddedWith(facts)}, but the model here is ${configured}`,
  };
}

function withoutRuntime({ indexed }: ModelFacts): HealthCheck {
  return {
    ...{ name: 'Model', status: indexed === null ? 'note' : 'warn', fix: PULL },
    message: 'onnxruntime-node, which runs the model, is not installed: search is by keyword only',
  };
}

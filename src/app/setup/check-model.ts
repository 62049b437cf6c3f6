import { errorText } from '../../domain/errors.ts';
import { rerankerId } from '../../domain/model/known-rerankers.ts';
import {
  embeddedWith,
  howToFind,
  type IndexedModel,
  PULL,
  SET_FOLDER,
} from '../../domain/model/missing-model.ts';
import { checkOf, type HealthCheck } from '../../domain/server-state.ts';
import { lacksRuntime, type ModelState } from '../../ports/embedder.ts';
import type { Reranker } from '../../ports/rerank/reranker.ts';

export interface ModelFacts extends IndexedModel {
  /** Id of the configured model; null if unknown. */
  configured: string | null;
  state: ModelState;
}

/** The check of the embedding model for `doctor` and `status`. */
export function checkModel(facts: ModelFacts): HealthCheck {
  const { configured, state, indexed } = facts;
  if (state.state === 'server')
    return { name: 'Model', status: 'ok', message: `${configured}: used by ${state.place}` };
  const isOther = indexed !== null && configured !== null && indexed !== configured;
  if (state.state === 'ready')
    return isOther ? otherModel(facts, configured) : ready(configured, state.directory);
  if (state.state === 'broken')
    return checkOf('Model', 'fail', { message: state.reason, hint: `${PULL}, or ${SET_FOLDER}` });
  if (lacksRuntime(state)) return withoutRuntime(facts);
  // Without vectors in the index, keyword search may be the user's choice.
  if (indexed === null)
    return {
      name: 'Model',
      status: 'note',
      fix: `${PULL}, or ${SET_FOLDER}`,
      message: `${configured ?? 'the model'} is not installed; keyword search only`,
    };
  return {
    name: 'Model',
    status: 'warn',
    fix: howToFind(facts),
    message: `${embeddedWith(facts)}, which is not found here; keyword search only`,
  };
}

/** Includes loading a large model from a cold disk. */
const LONGEST_TRIAL_MS = 30_000;

/** Checks the reranker for `doctor` by reading one pair of texts; reports nothing if none is configured. */
export async function checkReranker(
  reranker: Pick<Reranker, 'name' | 'state' | 'score'> | null,
): Promise<HealthCheck[]> {
  if (reranker === null) return [];
  const [state, name] = [await reranker.state(), 'Reranker'];
  const problem =
    state.state === 'ready'
      ? await reranker
          .score('Does it run?', ['It does.'], AbortSignal.timeout(LONGEST_TRIAL_MS))
          .then(() => null, errorText)
      : state.reason;
  if (problem === null && state.state === 'ready')
    return [{ name, status: 'ok', message: `${reranker.name} in ${state.directory}` }];
  const fix = howToFix(reranker.name);
  return [{ name, status: 'fail', message: `results are not reranked: ${problem}`, fix }];
}

function howToFix(reranker: string): string {
  return rerankerId(reranker) === null
    ? 'Put the files there, or: smart-fork config unset search.reranker'
    : 'smart-fork model pull, or put a copy into a folder: smart-fork config set search.reranker FOLDER';
}

function ready(configured: string | null, directory: string): HealthCheck {
  return { name: 'Model', status: 'ok', message: `${configured ?? 'from a folder'} in ${directory}` };
}

function otherModel(facts: ModelFacts, configured: string): HealthCheck {
  const back = facts.lastFolder === null ? `use ${facts.indexed} again` : howToFind(facts);
  return {
    name: 'Model',
    status: 'fail',
    fix: `${back}, or rebuild the index: smart-fork reindex`,
    message: `${embeddedWith(facts)}, but the model here is ${configured}`,
  };
}

function withoutRuntime({ indexed }: ModelFacts): HealthCheck {
  return {
    name: 'Model',
    status: indexed === null ? 'note' : 'warn',
    fix: PULL,
    message: 'onnxruntime-node, which runs the model, is not installed; keyword search only',
  };
}

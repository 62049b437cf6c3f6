import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { SmartForkError } from '../domain/errors.ts';
import { DEFAULT_MODEL, knownModel } from '../domain/model/known-models.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { ModelFiles } from '../ports/embedder.ts';

export interface LocatedModel {
  record: ModelRecord;
  state: ModelFiles;
}

/** Finds the model without loading what runs it; a folder that is not there needs no look inside. */
export async function locateModel({ embedding }: Config): Promise<LocatedModel> {
  const { model, modelDirectory, cacheDirectory } = embedding;
  const id = model ?? DEFAULT_MODEL;
  const folder = modelDirectory ?? join(cacheDirectory, `models--${id.replaceAll('/', '--')}`);
  const known = knownModel(id);
  if (!existsSync(folder) && known !== undefined) {
    return { record: known, state: { state: 'absent', directory: folder, reason: `it is not in ${folder}` } };
  }
  const files = await import('../adapters/onnx/model-files.ts');
  const found = await files.locateModel({
    ...(model !== null && { id: model }),
    ...(modelDirectory !== null && { directory: modelDirectory }),
    cacheDir: cacheDirectory,
  });
  const record = found.record ?? known;
  if (record !== undefined) return { record, state: found.state };
  throw new SmartForkError(
    'MODEL_UNAVAILABLE',
    `nothing is known of the model ${id}: ${reasonOf(found.state)}`,
    {
      hint: 'Pull it (smart-fork model pull), or give a folder that holds it in SMART_FORK_MODEL_DIR.',
    },
  );
}

function reasonOf(state: ModelFiles): string {
  return state.state === 'ready' ? 'it has no record' : state.reason;
}

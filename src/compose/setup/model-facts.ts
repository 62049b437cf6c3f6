import { statSync } from 'node:fs';
import type { ModelFacts } from '../../app/setup/check-model.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { Parts } from '../parts.ts';

/** The model on this machine and the model of the index's vectors. Creates no index, and leaves an empty file unchanged. */
export async function modelFacts({ embedding, localFile, local }: Parts): Promise<ModelFacts> {
  const configured = await embedding.model().then(
    ({ id }) => id,
    () => null,
  );
  const indexed = localFile.exists() && statSync(localFile.path).size > 0 ? await indexedModel(local) : null;
  const lastFolder = indexed === null ? null : (embedding.lastFolder?.(indexed) ?? null);
  return { configured, state: await embedding.state(), indexed, lastFolder };
}

/** Null also for an index that cannot be opened, which is reported elsewhere. */
async function indexedModel(local: Parts['local']): Promise<string | null> {
  try {
    return (await (await local()).info()).model?.id ?? null;
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

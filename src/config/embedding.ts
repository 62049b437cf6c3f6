import { SmartForkError } from '../domain/errors.ts';
import { fullModelId, SERVICE_MODEL } from '../domain/model/known-models.ts';
import type { ResolvedSettings } from './resolve-settings.ts';

/** The server's embedding service. */
export interface EmbeddingService {
  model: string;
  dimensions: number;
}

/**
 * The server's embedding service; null if a model on this machine embeds.
 * @throws SmartForkError CONFIG_INVALID for contradictory settings.
 */
export function embeddingServiceOf({ get }: Pick<ResolvedSettings, 'get'>): EmbeddingService | null {
  if (get('embedding.provider') === 'local') return null;
  if (get('qdrant.url') === null) {
    throw contradiction(
      'embedding.provider is qdrant-cloud, but no server is configured',
      'Set QDRANT_URL and QDRANT_API_KEY (docs/qdrant.md), or smart-fork config set embedding.provider local',
    );
  }
  if (get('encryption') === 'on') {
    throw contradiction(
      'embedding.provider is qdrant-cloud, but encryption is on: the server could not read the texts to embed',
      'Choose one: smart-fork config set embedding.provider local, or smart-fork config set encryption off',
    );
  }
  const model = get('embedding.model') ?? SERVICE_MODEL.id;
  const dimensions = model === SERVICE_MODEL.id ? SERVICE_MODEL.dimensions : get('embedding.dimensions');
  if (dimensions !== null) return { model, dimensions };
  throw contradiction(
    `the vector length of Qdrant Cloud's model ${model} is unknown`,
    `Set it: smart-fork config set embedding.dimensions N. Or use ${SERVICE_MODEL.id}: smart-fork config unset embedding.model`,
  );
}

/** A built-in model may be named without its owner. Null: the model in `embedding.model_dir`. */
export function embeddingModel({ get }: Pick<ResolvedSettings, 'get'>): string | null {
  const name = get('embedding.model');
  return name === null || get('embedding.provider') !== 'local' ? name : fullModelId(name);
}

function contradiction(message: string, hint: string): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', message, { hint });
}

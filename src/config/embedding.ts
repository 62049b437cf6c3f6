import { SmartForkError } from '../domain/errors.ts';
import { SERVICE_MODEL } from '../domain/model/known-models.ts';
import type { ResolvedSettings } from './resolve-settings.ts';

/** A model that the server embeds with. */
export interface EmbeddingService {
  model: string;
  dimensions: number;
}

/**
 * What the server embeds with; null when a model on this machine does.
 * @throws SmartForkError CONFIG_INVALID for settings that contradict each other.
 */
export function embeddingServiceOf({ get }: Pick<ResolvedSettings, 'get'>): EmbeddingService | null {
  if (get('embedding.provider') === 'local') return null;
  if (get('qdrant.url') === null) {
    throw contradiction(
      'embedding.provider is qdrant-cloud, and there is no server',
      'Set QDRANT_URL and QDRANT_API_KEY (docs/qdrant.md), or smart-fork config set embedding.provider local',
    );
  }
  if (get('encryption') === 'on') {
    throw contradiction(
      'embedding.provider is qdrant-cloud, and encryption is on: the server would have to read the texts',
      'Choose one: smart-fork config set embedding.provider local, or smart-fork config set encryption off',
    );
  }
  const model = get('embedding.model') ?? SERVICE_MODEL.id;
  const dimensions = model === SERVICE_MODEL.id ? SERVICE_MODEL.dimensions : get('embedding.dimensions');
  if (dimensions !== null) return { model, dimensions };
  throw contradiction(
    `unknown model ${model} of Qdrant Cloud`,
    `Use ${SERVICE_MODEL.id} (smart-fork config unset embedding.model), or set the length of its vectors first: smart-fork config set embedding.dimensions N`,
  );
}

function contradiction(message: string, hint: string): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', message, { hint });
}

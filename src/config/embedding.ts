import { SmartForkError } from '../domain/errors.ts';
import { EMBEDDING_PROVIDERS, type EmbeddingProvider, SERVICE_MODEL } from '../domain/model/known-models.ts';
import type { Settings } from './schema.ts';
import { type Environment, filled } from './variables.ts';

/** A model that the server embeds with by itself. */
export interface EmbeddingService {
  model: string;
  dimensions: number;
}

/**
 * What the server embeds with; null where a model on this machine does.
 * @throws SmartForkError CONFIG_INVALID where the settings do not go together.
 */
export function embeddingServiceOf(
  env: Environment,
  { embedding }: Settings,
  { hasServer, encryption }: { hasServer: boolean; encryption: boolean },
): EmbeddingService | null {
  const provider = providerOf(env) ?? embedding?.provider ?? 'local';
  if (provider === 'local') return null;
  if (!hasServer) {
    throw invalidEmbedding(
      'embedding.provider is qdrant-cloud, and there is no server',
      'Set QDRANT_URL and QDRANT_API_KEY (docs/qdrant.md), or smart-fork config set embedding.provider local',
    );
  }
  if (encryption) {
    throw invalidEmbedding(
      'embedding.provider is qdrant-cloud, and encryption is on: the server would have to read the texts',
      'One of the two: smart-fork config set embedding.provider local, or smart-fork config set encryption off',
    );
  }
  const model = filled(env.SMART_FORK_MODEL) ?? embedding?.model ?? SERVICE_MODEL.id;
  const dimensions = model === SERVICE_MODEL.id ? SERVICE_MODEL.dimensions : embedding?.dimensions;
  if (dimensions !== undefined) return { model, dimensions };
  throw invalidEmbedding(
    `nothing is known of the model ${model} of Qdrant Cloud`,
    `Take ${SERVICE_MODEL.id} (smart-fork config unset embedding.model), or say how many numbers its vectors have: smart-fork config set embedding.dimensions N`,
  );
}

function providerOf(env: Environment): EmbeddingProvider | undefined {
  const value = filled(env.SMART_FORK_EMBEDDING_PROVIDER)?.trim();
  const known = EMBEDDING_PROVIDERS.find((one) => one === value);
  if (value === undefined || known !== undefined) return known;
  throw invalidEmbedding(
    `SMART_FORK_EMBEDDING_PROVIDER: ${value} is neither local nor qdrant-cloud`,
    'local: a model on this machine; qdrant-cloud: the server embeds (docs/qdrant.md).',
  );
}

function invalidEmbedding(message: string, hint: string): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', message, { hint });
}

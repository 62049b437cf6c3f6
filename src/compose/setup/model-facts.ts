import type { ModelFacts } from '../../app/setup/check-model.ts';
import type { Parts } from '../parts.ts';

/** What is known of the model here and of the one whose vectors the index has. Creates no index. */
export async function modelFacts({ embedding, localFile, local }: Parts): Promise<ModelFacts> {
  const configured = await embedding.model().then(
    ({ id }) => id,
    () => null,
  );
  const indexed = localFile.exists() ? ((await (await local()).info()).model?.id ?? null) : null;
  const lastFolder = indexed === null ? null : (embedding.lastFolder?.(indexed) ?? null);
  return { configured, state: await embedding.state(), indexed, lastFolder };
}

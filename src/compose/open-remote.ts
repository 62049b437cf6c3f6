import { chunkingName } from '../app/index/chunking-name.ts';
import type { RememberedRefusals } from '../app/share/embed/remember-refusals.ts';
import type { QdrantConfig } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { RemoteStore } from '../ports/remote-store.ts';

export interface Opening {
  qdrant: QdrantConfig;
  encryption: boolean;
  /** smart-fork's own folder. */
  home: string;
  service: EmbeddingService | null;
  model(): Promise<ModelRecord>;
  refusals: RememberedRefusals;
}

/** For reads that fall back to the local store. */
export const impatient = ({ timeoutMs }: QdrantConfig) => ({
  readOnly: true,
  timeouts: { read: timeoutMs },
  retries: { reads: 1, wait: 50, longestRetryAfter: 200 },
});

/** For sending: what fails stays in the outbox and is sent by a later process. */
export const PATIENT = {
  timeouts: { read: 30_000, write: 60_000 },
  retries: { reads: 1, writes: 1, wait: 500, longestRetryAfter: 1000 },
};

export const PATIENT_READER = { ...PATIENT, readOnly: true };

/** Loads the adapter: without a server none of it is loaded. */
export async function openRemote(
  { qdrant, model, encryption, home, service, refusals }: Opening,
  patience: ReturnType<typeof impatient> | typeof PATIENT | typeof PATIENT_READER,
): Promise<RemoteStore> {
  const { openQdrantPointStore } = await import('../adapters/qdrant/qdrant-point-store.ts');
  const record = await model();
  const open = (seal: string | null) =>
    openQdrantPointStore({
      ...qdrant,
      ...patience,
      seal,
      model: { id: record.id, dimensions: record.dimensions },
      chunking: chunkingName(record),
      ...(service !== null && { refusals }),
    });
  if (!encryption) return open(null);
  const { openServerStore } = await import('./key.ts');
  return openServerStore({ encryption, home }, open);
}

/**
 * The store, if its collection exists. It is closed otherwise.
 * @throws SmartForkError USAGE if the collection does not exist.
 */
export async function existing(name: string, store: RemoteStore): Promise<RemoteStore> {
  try {
    await store.describe();
    return store;
  } catch (error) {
    await store.close();
    if (!(error instanceof SmartForkError && error.code === 'COLLECTION_MISSING')) throw error;
    throw new SmartForkError('USAGE', `there is no collection ${name} on the server`, {
      hint: 'Check the spelling: --from needs an existing collection.',
      cause: error,
    });
  }
}

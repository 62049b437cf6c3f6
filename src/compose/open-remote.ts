import type { CollectionMemory } from '../adapters/qdrant/options.ts';
import { chunkingName } from '../app/index/chunking-name.ts';
import type { RememberedRefusals } from '../app/share/embed/remember-refusals.ts';
import type { QdrantConfig } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { Outbox } from '../ports/outbox.ts';
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

/** For a reader, who falls back to the local store. */
export const impatient = ({ timeoutMs }: QdrantConfig) => ({
  readOnly: true,
  timeouts: { read: timeoutMs },
  retries: { reads: 1, wait: 50, longestRetryAfter: 200 },
});

/** What fails stays in the outbox, whose patience survives this process. */
export const PATIENT = {
  timeouts: { read: 30_000, write: 60_000 },
  retries: { reads: 1, writes: 1, wait: 500, longestRetryAfter: 1000 },
};

export const PATIENT_READER = { ...PATIENT, readOnly: true };

/** A collection is looked at again after this. */
const LOOK_EVERY_MS = 86_400_000;

/** The adapter is loaded with the first request: without a server nothing of it is. */
export async function openRemote(
  { qdrant, model, encryption, home, service, refusals }: Opening,
  patience: ReturnType<typeof impatient> | typeof PATIENT | typeof PATIENT_READER,
  memory?: CollectionMemory,
): Promise<RemoteStore> {
  const { openQdrantPointStore } = await import('../adapters/qdrant/qdrant-point-store.ts');
  const record = await model();
  const open = (seal: string | null) =>
    openQdrantPointStore({
      ...qdrant,
      ...patience,
      ...(memory !== undefined && { memory }),
      seal,
      model: { id: record.id, dimensions: record.dimensions },
      chunking: chunkingName(record),
      ...(service !== null && { refusals }),
    });
  if (!encryption) return open(null);
  const { openServerStore } = await import('./key.ts');
  return openServerStore({ encryption, home }, open);
}

/** The store, closed and refused when its collection is not there. */
export async function existing(name: string, store: RemoteStore): Promise<RemoteStore> {
  try {
    await store.describe();
    return store;
  } catch (error) {
    await store.close();
    if (!(error instanceof SmartForkError && error.code === 'COLLECTION_MISSING')) throw error;
    throw new SmartForkError('USAGE', `there is no collection ${name} on the server`, {
      hint: 'Look at how its name is spelt: --from wants one that is there.',
      cause: error,
    });
  }
}

/** A server that was updated, or put back, is noticed after a while. */
export function memoryIn(outbox: Outbox, now: () => number): CollectionMemory {
  return {
    recall() {
      const known = outbox.collection();
      return known !== null && Math.abs(now() - known.at) < LOOK_EVERY_MS ? known : null;
    },
    remember: (known) => outbox.noteCollection(known),
  };
}

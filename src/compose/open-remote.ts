import { chunkingName } from '../app/index/chunking-name.ts';
import type { RememberedRefusals } from '../app/share/embed/remember-refusals.ts';
import type { QdrantConfig } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { withoutLogin } from '../config/environment.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { SearchNotes } from '../ports/machine.ts';
import type { RemoteStore } from '../ports/remote-store.ts';

export interface Opening {
  qdrant: QdrantConfig;
  encryption: boolean;
  /** smart-fork's own folder. */
  home: string;
  service: EmbeddingService | null;
  model(): Promise<ModelRecord>;
  refusals: RememberedRefusals;
  searchNotes: Pick<SearchNotes, 'sessionsIn' | 'setSessionsIn'>;
}

/** For searches, which fall back to the local store. */
export const forSearching = ({ timeoutMs }: QdrantConfig) => ({
  readOnly: true,
  timeouts: { read: timeoutMs },
  retries: { reads: 1, wait: 50, longestRetryAfter: 200 },
});

/** For sending: a change that fails stays in the outbox, and a later process sends it. */
export const FOR_SENDING = {
  timeouts: { read: 15_000, write: 60_000 },
  retries: { reads: 1, writes: 1, wait: 500, longestRetryAfter: 1000 },
};

export const FOR_READING = { ...FOR_SENDING, readOnly: true };

/** Loads the Qdrant adapter on demand: machines without a server never do. */
export async function openRemote(
  { qdrant, model, encryption, home, service, refusals, searchNotes }: Opening,
  limits: ReturnType<typeof forSearching> | typeof FOR_SENDING | typeof FOR_READING,
): Promise<RemoteStore> {
  const { openQdrantPointStore } = await import('../adapters/qdrant/qdrant-point-store.ts');
  const record = await model();
  const place = `${withoutLogin(qdrant.url)} ${qdrant.collection}`;
  const open = (seal: string | null) =>
    openQdrantPointStore({
      ...qdrant,
      ...limits,
      seal,
      model: { id: record.id, dimensions: record.dimensions },
      chunking: chunkingName(record),
      refusals: service === null ? undefined : refusals,
      size: {
        read: () => searchNotes.sessionsIn(place),
        write: (sessions) => searchNotes.setSessionsIn(place, sessions),
      },
    });
  if (!encryption) return open(null);
  const { openServerStore } = await import('./key.ts');
  return openServerStore({ encryption, home }, open);
}

/**
 * Returns the store if its collection exists, and closes it otherwise.
 * @throws SmartForkError USAGE if the collection does not exist.
 */
export async function requireCollection(name: string, store: RemoteStore): Promise<RemoteStore> {
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

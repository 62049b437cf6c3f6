import { createLegacyGate, type LegacyGate } from '../app/share/migrate/legacy-gate.ts';
import { openLegacyStore } from '../app/share/migrate/legacy-store.ts';
import type { QdrantConfig } from '../config/config.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { LexicalTokenizer } from '../domain/search/lexical.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ArchiveReader } from '../ports/session-archive.ts';

export interface LegacySettings {
  /** With how long who reads waits for it. */
  qdrant: QdrantConfig & { timeouts: { read: number }; retries: object };
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  model(): Promise<ModelRecord>;
  now: () => number;
}

/** The way to the Python program's collection, should the settings name one. Nothing of it is loaded until then. */
export function composeLegacy({ qdrant, tokenizer, redactor, model, now }: LegacySettings): LegacyGate {
  return createLegacyGate({
    name: qdrant.collection,
    now,
    async open() {
      const { readLegacyCollection } = await import('../adapters/qdrant/collection/legacy-collection.ts');
      const collection = await readLegacyCollection(qdrant);
      if (collection === null) return null;
      const byMeaning = isItsModel(await model());
      const store = openLegacyStore({ collection, tokenizer, redactor, sameModel: byMeaning, now });
      return { collection, store, byMeaning };
    },
  });
}

/** The transcripts on a server, of which the Python program has kept none, and a collection that is not there yet has none. */
export function unlessLegacy<A extends Pick<ArchiveReader, 'find' | 'findByPrefix'>>(
  archive: A,
  legacy: LegacyGate,
): A {
  const orNone = async <T>(asked: Promise<T>, none: T): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      if (error.code === 'COLLECTION_MISSING' || (await legacy.recognise(error)) !== null) return none;
      throw error;
    }
  };
  return {
    ...archive,
    find: (sessionId: string) => orNone(archive.find(sessionId), null),
    findByPrefix: (prefix: string, limit: number) => orNone(archive.findByPrefix(prefix, limit), []),
  };
}

/** Its vectors are all-minilm-l6-v2's, computed by the server. */
function isItsModel({ id, dimensions }: ModelRecord): boolean {
  return dimensions === 384 && /(?:^|\/)all-minilm-l6-v2$/i.test(id);
}

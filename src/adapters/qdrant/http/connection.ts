import { createDamage, type Damage } from '../../../domain/damage.ts';
import { SmartForkError } from '../../../domain/errors.ts';
import type { QdrantOptions } from '../options.ts';
import type { Filter, PointStruct, Schemas, UpdateOperation } from '../types.ts';
import { infoIn } from './check-answer.ts';
import {
  describeQdrantError,
  isAboutCollection,
  isMissingCollection,
  missingCollection,
  placeOf,
} from './errors.ts';
import { readInParts } from './read-in-parts.ts';
import { type Reads, readsOver } from './reads.ts';
import type { Server } from './server.ts';

/** Requests to one collection. The first one checks it, and creates it if it is missing (see QdrantOptions.readOnly). */
export interface Connection extends Reads {
  /** The server's address, for messages. */
  address: string;
  /** The collection and its server, for messages. */
  place: string;
  /** Id of the key that seals this handle's texts; null for plain texts. */
  seal: string | null;
  damage: Damage;
  /** Checks the collection once per handle. Resolves to the server's version; null if the server hides it. */
  check(): Promise<string | null>;
  /** The server's description of the collection, without a check: a check reads points, which may be on a lost node. */
  info(): Promise<Schemas['CollectionInfo']>;
  /** The collection's shards; null if the server does not say. */
  cluster(): Promise<unknown>;
  /**
   * Reads before the check, and again after it if the server's answer shows that the collection is missing or different. The
   * read must include the store's record, which says whether the collection needs a check (see collection/read-record.ts). Until
   * then it must use the reads that it is given: others wait for it.
   */
  first<T>(ask: (reads: Reads) => Promise<T>): Promise<T>;
  /** Skips the check from now on, because the record says that it is not needed. */
  trust(): void;
  /** Resolves once the points can be searched. Overwrites only existing points that match `over`. */
  upsert(points: PointStruct[], over?: Filter): Promise<void>;
  updateVectors(request: Schemas['UpdateVectors']): Promise<void>;
  /** Applies the operations in order. After a failure, those before it stay applied. */
  update(operations: UpdateOperation[]): Promise<void>;
  deletePoints(filter: Filter): Promise<void>;
  close(): void;
}

/** @param checkCollection creates or verifies the collection, and resolves to the server's version. */
export function openConnection(
  { collection, seal = null, readOnly = false }: Pick<QdrantOptions, 'collection' | 'seal' | 'readOnly'>,
  server: Server,
  checkCollection: () => Promise<string | null>,
): Connection {
  let checking: Promise<string | null> | null = null;
  let trusted = false;
  /** A read that includes the record, while it runs. */
  let opening: Promise<unknown> | null = null;
  let closed = false;

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new SmartForkError('STORE_UNAVAILABLE', 'the connection to Qdrant was closed');
    try {
      return await work();
    } catch (error) {
      if (isAboutCollection(error)) {
        checking = null;
        trusted = false;
      }
      if (isMissingCollection(error) && readOnly) throw missingCollection(collection, server.address);
      throw describeQdrantError(error, server.address, collection);
    }
  };
  const check = (): Promise<string | null> => {
    checking ??= guard(checkCollection).catch((error: unknown) => {
      checking = null;
      throw error;
    });
    return checking;
  };
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!trusted) await check();
    return guard(work);
  };
  /** Sent along with the read that includes the record. The answer counts if the record says that no check is needed. */
  const along = async <T>(work: () => Promise<T>): Promise<T> => {
    if (trusted || checking !== null || opening === null) return checked(work);
    const [answered] = await Promise.allSettled([guard(work), opening]);
    if (answered.status === 'rejected' && !concernsCollection(answered.reason)) throw answered.reason;
    return trusted && answered.status === 'fulfilled' ? answered.value : checked(work);
  };
  const write: Server['write'] = (...asked) => checked(() => server.write(...asked));
  const damage = createDamage(placeOf(collection, server.address), DAMAGED);
  const readsWith = (send: typeof guard) =>
    readInParts(
      readsOver((...asked) => send(() => server.read(...asked))),
      damage,
    );
  const reads = readsWith(along);

  return {
    address: server.address,
    place: placeOf(collection, server.address),
    seal,
    damage,
    check,
    info: () => guard(() => server.read('getCollection', {}, infoIn)),
    // Keys for a single collection may not be allowed to ask, and some proxies hide it.
    cluster: () => server.read('collectionClusterInfo', {}, (answer) => answer).catch(() => null),
    ...reads,
    async first(ask) {
      if (trusted || checking !== null) return ask(reads);
      const asked = ask(readsWith(guard));
      opening = asked;
      try {
        return await asked;
      } catch (error) {
        if (!concernsCollection(error)) throw error;
        opening = null;
        return ask(reads);
      } finally {
        if (opening === asked) opening = null;
      }
    },
    trust: () => {
      trusted = true;
    },
    upsert: (points, over) => write('upsertPoints', { wait: true, points, update_filter: over }),
    updateVectors: (body) => write('updateVectors', { wait: true, ...body }),
    update: (operations) => write('batchUpdate', { wait: true, operations }),
    deletePoints: (filter) => write('deletePoints', { wait: true, filter }),
    close: () => {
      closed = true;
      server.close();
    },
  };
}

function concernsCollection(error: unknown): boolean {
  return error instanceof SmartForkError && isAboutCollection(error.cause);
}

const DAMAGED = {
  code: 'SERVER_DATA_DAMAGED',
  hint: 'Check who can write to the server. smart-fork index --session ID --force, on the machine with the transcript, writes a session again.',
};

import { SmartForkError } from '../../../domain/errors.ts';
import { isRecord } from '../../../domain/is-record.ts';
import { infoIn } from '../http/check-answer.ts';
import { isForbidden, missingCollection, placeOf, unlessMissing } from '../http/errors.ts';
import { QdrantAnswerError } from '../http/retry.ts';
import type { Server } from '../http/server.ts';
import type { QdrantOptions } from '../options.ts';
import { collectionProblem, METADATA_KEY, SCHEMA_VERSION } from '../schema/collection-shape.ts';
import { PREPARATION, RECORD_ID } from '../schema/store-record.ts';
import type { Schemas } from '../types.ts';
import { askRecord, verifySeal } from './verify-seal.ts';

/** The first version with conditional upserts, which keep two machines from overwriting each other. */
const OLDEST_SERVER = { major: 1, minor: 16 };

/** Every field used in filters, facets or sorting. Qdrant Cloud refuses to filter without an index. */
const INDEXES: Record<string, Schemas['PayloadFieldSchema']> = {
  type: 'keyword',
  session_id: 'keyword',
  agent: 'keyword',
  machine: 'keyword',
  repo_id: 'keyword',
  repo_key: 'keyword',
  repo_name: 'keyword',
  repo_name_folded: 'keyword',
  session_branch: 'keyword',
  session_tags: 'keyword',
  session_markers: 'keyword',
  session_languages: 'keyword',
  session_started_ms: 'integer',
  session_ended_ms: 'integer',
  ended_ms: 'integer',
  chunk_index: 'integer',
  month: 'keyword',
  id_prefixes: 'keyword',
  file_names: 'keyword',
  commit_starts: 'keyword',
  content_hash: { type: 'keyword', on_disk: true },
  kind: 'keyword',
  is_open: 'bool',
  entities: 'keyword',
};

/**
 * Verifies the collection. Creates it if it is missing (not for read-only handles), and its payload indexes unless the API key is
 * read-only. Never changes another program's collection. Resolves to the server's version; null if the server hides it.
 * @throws SmartForkError STORE_INCOMPATIBLE, COLLECTION_MISSING; QdrantAnswerError and what `fetch` throws.
 */
export async function checkCollection(server: Server, options: QdrantOptions): Promise<string | null> {
  const { address } = server;
  const { collection, readOnly = false } = options;
  // One round trip: a search may be waiting.
  const [version, found, record] = await Promise.all([
    askVersion(server),
    unlessMissing(askInfo(server)),
    askRecord(server),
  ]);
  if (found === null && readOnly) throw missingCollection(collection, address);
  const info = found ?? (await createCollection(server, options));
  const place = placeOf(collection, address);
  const problem = collectionProblem(info, place, collection);
  if (problem !== null) throw problem;
  await createIndexes(server, info);
  await verifySeal(server, place, options.seal ?? null, record);
  if (record !== null && (record.prepared ?? 0) < PREPARATION && !readOnly) await markPrepared(server);
  return version;
}

/** Proxies may hide the root. @throws SmartForkError STORE_INCOMPATIBLE for a server that is too old. */
async function askVersion(server: Server): Promise<string | null> {
  const answer = await server.root().catch((error: unknown) => {
    if (error instanceof QdrantAnswerError) return null;
    throw error;
  });
  const version = isRecord(answer) && typeof answer.version === 'string' ? answer.version : '';
  const [text, major, minor] = /^v?(\d+)\.(\d+)[\w.+-]{0,40}/.exec(version) ?? [];
  if (text === undefined) return null;
  const { major: oldest, minor: least } = OLDEST_SERVER;
  if (Number(major) > oldest || (Number(major) === oldest && Number(minor) >= least)) return text;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `Qdrant at ${server.address} is version ${text}; smart-fork needs ${oldest}.${least} or later`,
    { hint: 'Update the server, for instance to the image qdrant/qdrant:v1.18.3.' },
  );
}

function askInfo(server: Server): Promise<Schemas['CollectionInfo']> {
  return server.read('getCollection', {}, infoIn);
}

async function createCollection(
  server: Server,
  { collection, model: { id, dimensions }, layout }: QdrantOptions,
): Promise<Schemas['CollectionInfo']> {
  const request = {
    vectors: { dense: { size: dimensions, distance: 'Cosine', on_disk: true } },
    sparse_vectors: { bm25_session: { modifier: 'idf' }, bm25_chunk: { modifier: 'idf' } },
    quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
    on_disk_payload: true,
    shard_number: layout?.shards,
    replication_factor: layout?.replicas,
    write_consistency_factor: layout?.writeConsistency,
    metadata: { [METADATA_KEY]: { schema_version: SCHEMA_VERSION, model: id, dimensions } },
  } satisfies Schemas['CreateCollection'];
  try {
    await server.write('createCollection', request);
  } catch (error) {
    if (isForbidden(error)) throw cannotCreate(collection, server.address, error);
    // Another machine created it first, or the answer was lost and the request repeated.
    if (!(error instanceof QdrantAnswerError && error.status === 409)) throw error;
  }
  return askInfo(server);
}

function cannotCreate(name: string, address: string, cause: unknown): SmartForkError {
  const message = `there is no collection ${name} in Qdrant at ${address}, and the API key may not create one`;
  return new SmartForkError('STORE_UNAVAILABLE', message, {
    hint: 'Run smart-fork index on a machine whose QDRANT_API_KEY may write, or check QDRANT_COLLECTION.',
    cause,
  });
}

async function createIndexes(server: Server, info: Schemas['CollectionInfo']): Promise<void> {
  const missing = Object.entries(INDEXES).filter(([field]) => !(field in info.payload_schema));
  const create = ([field_name, field_schema]: (typeof missing)[number]) =>
    server.write('createFieldIndex', { wait: true, field_name, field_schema });
  await unlessForbidden(Promise.all(missing.map(create)));
}

/** Spares later processes the check. */
async function markPrepared(server: Server): Promise<void> {
  const operations = [{ set_payload: { payload: { prepared: PREPARATION }, points: [RECORD_ID] } }];
  await unlessForbidden(server.write('batchUpdate', { wait: true, operations }));
}

async function unlessForbidden(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

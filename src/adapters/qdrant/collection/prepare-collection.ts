import { SmartForkError } from '../../../domain/errors.ts';
import { isForbidden, missingCollection } from '../http/errors.ts';
import { QdrantAnswerError } from '../http/retry.ts';
import { readVersion, type ServerVersion } from '../http/server-version.ts';
import type { Transport } from '../http/transport.ts';
import type { QdrantOptions } from '../options.ts';
import { collectionProblem, METADATA_KEY, SCHEMA_VERSION } from '../schema/collection-shape.ts';
import type { Schemas } from '../types.ts';

/** Payload indexes: for every field that is filtered, counted by or put in order. Qdrant Cloud refuses to filter without. */
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
  session_started_ms: 'integer',
  session_ended_ms: 'integer',
  ended_ms: 'integer',
  chunk_index: 'integer',
  month: 'keyword',
  id_prefixes: 'keyword',
  file_names: 'keyword',
  stale_tokens: 'bool',
  content_hash: { type: 'keyword', on_disk: true },
};

/**
 * Makes the collection if it is not there, unless it is only read, and checks it if it is. A collection that was made for something else is never
 * touched. With a key that may only read, what is missing is left missing.
 * @throws SmartForkError STORE_INCOMPATIBLE, COLLECTION_MISSING; QdrantAnswerError and what `fetch` throws.
 */
export async function prepareCollection(
  transport: Transport,
  options: QdrantOptions,
): Promise<ServerVersion> {
  const [version, found] = await Promise.all([
    askVersion(transport),
    askCollection(transport, options.collection),
  ]);
  if (found === null && options.readOnly === true)
    throw missingCollection(options.collection, transport.address);
  const info = found ?? (await createCollection(transport, options, version));
  const problem = collectionProblem(info, options.collection, transport.address);
  if (problem !== null) throw problem;
  await createIndexes(transport, options.collection, info);
  return version;
}

/** What a collection is prepared for: one that was prepared for the same need not be looked at again. */
export function wantedShape({ url, collection, model, seal }: QdrantOptions): string {
  const wanted = [url, collection, model.id, model.dimensions, seal ?? null, SCHEMA_VERSION];
  return JSON.stringify([...wanted, ...Object.keys(INDEXES)]);
}

/** A proxy may hide the root. */
async function askVersion(transport: Transport): Promise<ServerVersion> {
  let text: string | null = null;
  try {
    text = (await transport.request<{ version?: string }>('read', 'GET', '/')).version ?? null;
  } catch (error) {
    if (!(error instanceof QdrantAnswerError)) throw error;
  }
  return readVersion(text, transport.address);
}

async function askCollection(transport: Transport, name: string): Promise<Schemas['CollectionInfo'] | null> {
  try {
    return await transport.request('read', 'GET', pathOf(name));
  } catch (error) {
    if (error instanceof QdrantAnswerError && error.status === 404 && /doesn't exist/.test(error.message))
      return null;
    throw error;
  }
}

async function createCollection(
  transport: Transport,
  options: QdrantOptions,
  version: ServerVersion,
): Promise<Schemas['CollectionInfo']> {
  const { id, dimensions } = options.model;
  const metadata = { [METADATA_KEY]: { schema_version: SCHEMA_VERSION, model: id, dimensions } };
  const request = {
    vectors: { dense: { size: dimensions, distance: 'Cosine', on_disk: true } },
    sparse_vectors: { bm25_session: { modifier: 'idf' }, bm25_chunk: { modifier: 'idf' } },
    quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
    on_disk_payload: true,
    ...(version.hasConditions && { metadata }),
  } satisfies Schemas['CreateCollection'];
  try {
    await transport.request('write', 'PUT', pathOf(options.collection), request);
  } catch (error) {
    if (isForbidden(error)) throw mayNotCreate(options.collection, transport.address, error);
    // Another machine was faster, or an answer was lost and the request sent again.
    if (!(error instanceof QdrantAnswerError && error.status === 409)) throw error;
  }
  return transport.request('read', 'GET', pathOf(options.collection));
}

function mayNotCreate(name: string, address: string, cause: unknown): SmartForkError {
  const message = `there is no collection ${name} in Qdrant at ${address}, and the API key may not make one`;
  return new SmartForkError('STORE_UNAVAILABLE', message, {
    hint: 'Run smart-fork index on a machine whose QDRANT_API_KEY may write, or check QDRANT_COLLECTION.',
    cause,
  });
}

async function createIndexes(
  transport: Transport,
  name: string,
  info: Schemas['CollectionInfo'],
): Promise<void> {
  const missing = Object.entries(INDEXES).filter(([field]) => !(field in info.payload_schema));
  const create = ([field_name, field_schema]: (typeof missing)[number]) =>
    transport.request('write', 'PUT', `${pathOf(name)}/index?wait=true`, { field_name, field_schema });
  try {
    await Promise.all(missing.map(create));
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

function pathOf(name: string): string {
  return `/collections/${encodeURIComponent(name)}`;
}

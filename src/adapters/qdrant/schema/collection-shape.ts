import { SmartForkError } from '../../../domain/errors.ts';
import type { Schemas } from '../types.ts';

/** Increased when the layout of points changes. */
export const SCHEMA_VERSION = 1;
/** Our key in a collection's metadata. */
export const METADATA_KEY = 'smart_fork';

export const DENSE = 'dense';
export const BM25_SESSION = 'bm25_session';
export const BM25_CHUNK = 'bm25_chunk';

type Info = Schemas['CollectionInfo'];

/** Why smart-fork cannot use a collection; null if it can. */
export function collectionProblem(info: Info, place: string, name: string): SmartForkError | null {
  if (isLegacyShape(info)) {
    return new SmartForkError('LEGACY_COLLECTION', `${place} was made by the first, Python smart-fork`, {
      hint: `smart-fork index imports its sessions into this machine's index. To share sessions, set QDRANT_COLLECTION to another name, then run: smart-fork migrate --to qdrant --from ${name}`,
    });
  }
  if (denseSize(info) === null || !hasSparse(info, BM25_SESSION) || !hasSparse(info, BM25_CHUNK)) {
    return incompatible(
      `${place} was not created by smart-fork`,
      'Set QDRANT_COLLECTION to a new name: smart-fork creates that collection.',
    );
  }
  const schema = schemaVersion(info);
  return schema !== null && schema > SCHEMA_VERSION ? newerProgram(place, schema) : null;
}

export function newerProgram(place: string, schema: number): SmartForkError {
  return incompatible(
    `${place} was written by a newer smart-fork (schema ${schema})`,
    'Update smart-fork on this machine: npm install -g smart-fork@latest',
  );
}

/** The Python program's collections have one unnamed vector of 384 dimensions. */
export function isLegacyShape(info: Info): boolean {
  const { vectors, sparse_vectors } = info.config.params;
  return (
    typeof vectors?.size === 'number' &&
    vectors.size === 384 &&
    Object.keys(sparse_vectors ?? {}).length === 0
  );
}

/** Dimensions of the dense vector; null if there is none, or if its distance is not cosine. */
export function denseSize(info: Info): number | null {
  const dense: unknown = vectorsOf(info)[DENSE];
  if (typeof dense !== 'object' || dense === null || !('size' in dense) || !('distance' in dense))
    return null;
  return typeof dense.size === 'number' && dense.distance === 'Cosine' ? dense.size : null;
}

function vectorsOf(info: Info): Record<string, unknown> {
  return { ...info.config.params.vectors };
}

function hasSparse(info: Info, name: string): boolean {
  return info.config.params.sparse_vectors?.[name]?.modifier === 'idf';
}

function schemaVersion(info: Info): number | null {
  const metadata: unknown = info.config.metadata;
  const own =
    typeof metadata === 'object' && metadata !== null && METADATA_KEY in metadata
      ? metadata[METADATA_KEY]
      : null;
  const isObject = typeof own === 'object' && own !== null && 'schema_version' in own;
  return isObject && typeof own.schema_version === 'number' ? own.schema_version : null;
}

function incompatible(message: string, hint: string): SmartForkError {
  return new SmartForkError('STORE_INCOMPATIBLE', message, { hint });
}

import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import type { QdrantOptions } from '../../../src/adapters/qdrant/options.ts';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import { SAMPLE_CHUNKING, SAMPLE_MODEL } from '../transcripts/sample-sessions.ts';
import { type DoubleOptions, type QdrantDouble, startQdrantDouble } from './double/server.ts';
import { openApiCheck } from './openapi.ts';

/** The adapter's options for tests. */
export function qdrantOptions(url: string, more: Partial<QdrantOptions> = {}): QdrantOptions {
  return {
    url,
    apiKey: null,
    collection: 'claude_sessions',
    model: SAMPLE_MODEL,
    chunking: SAMPLE_CHUNKING,
    ...more,
  };
}

const check = openApiCheck();

/** Warms up the checks, which initialize on first use: programs that wait for an answer must not wait for that too. */
export function prepareChecks(): void {
  const reads = ['/points', '/points/query/batch', '/points/scroll', '/points/count', '/facet'];
  for (const path of reads) check?.({ method: 'POST', path: `/collections/x${path}`, body: {} });
}

/** A double as strict as Qdrant Cloud that checks every request against the API description. */
export async function startCheckedDouble(options: DoubleOptions = {}): Promise<QdrantDouble> {
  return startQdrantDouble({ strict: true, validate: check ?? undefined, ...options });
}

/** Doubles with one store each, closed after each test. */
export function useDoubles() {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  return async (doubleOptions: DoubleOptions = {}, storeOptions: Partial<QdrantOptions> = {}) => {
    const double = await startCheckedDouble(doubleOptions);
    open.push(double);
    const another = (more: Partial<QdrantOptions> = {}): RemoteStore => {
      const handle = openQdrantPointStore(
        qdrantOptions(double.url, { retries: { wait: 1, longestWait: 5 }, ...more }),
      );
      open.push(handle);
      return handle;
    };
    return { double, store: another(storeOptions), another };
  };
}

export async function doublePlace(options: DoubleOptions = {}) {
  const double = await startCheckedDouble(options);
  return {
    open: async () => openQdrantPointStore(qdrantOptions(double.url)),
    remove: () => double.close(),
  };
}

/** A collection in three shards. */
export async function shardedPlace() {
  const double = await startCheckedDouble();
  const layout = { shards: 3, replicas: 1, writeConsistency: null };
  return {
    open: async () => openQdrantPointStore(qdrantOptions(double.url, { layout })),
    remove: () => double.close(),
  };
}

export async function serverPlace(url: string, apiKey: string | null) {
  const { options, remove } = serverCollection(url, apiKey);
  return { open: async () => openQdrantPointStore(options), remove };
}

/** A new collection on a real server, dropped at the end. */
export function serverCollection(url: string, apiKey: string | null, more: Partial<QdrantOptions> = {}) {
  const collection = `smart_fork_test_${randomUUID()}`;
  return {
    options: qdrantOptions(url, { apiKey, collection, ...more }),
    remove: async () => {
      await fetch(`${url}/collections/${collection}`, {
        method: 'DELETE',
        headers: apiKey === null ? {} : { 'api-key': apiKey },
      });
    },
  };
}

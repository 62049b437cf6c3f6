import type { Config } from '../../config/config.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { LATE_INTERACTION, runsOnServer } from '../../domain/model/known-rerankers.ts';
import type { Reranker } from '../../ports/rerank/reranker.ts';
import { runtimePath } from '../embedding.ts';

/** The configured reranker; null if there is none. Loads nothing. */
export function openReranker(config: Config): Reranker | null {
  const name = config.search.reranker;
  if (name === null) return null;
  let opened: Promise<Reranker> | null = null;
  const open = () => {
    opened ??= load(config, name);
    return opened;
  };
  return {
    name,
    state: async () => (await open()).state(),
    score: async (query, texts, signal) => (await open()).score(query, texts, signal),
    close: async () => (await opened)?.close(),
  };
}

async function load(config: Config, name: string): Promise<Reranker> {
  if (runsOnServer(name)) return loadRemote(config);
  const [{ createOnnxReranker }, { locateReranker }, { freeThreads }] = await Promise.all([
    import('../../adapters/onnx/rerank/onnx-reranker.ts'),
    import('../../adapters/onnx/rerank/locate-reranker.ts'),
    import('../../adapters/system/power.ts'),
  ]);
  const { cacheDirectory, threads, idleMs } = config.embedding;
  return createOnnxReranker({
    name,
    idleMs,
    locate: () => locateReranker(name, cacheDirectory),
    runtime: () => runtimePath(config),
    threads: async () => threads ?? freeThreads(),
  });
}

async function loadRemote({ qdrant, encryption }: Config): Promise<Reranker> {
  const reason = encryption
    ? 'with encryption on, the server cannot read the texts'
    : 'answerai-colbert-small runs on a Qdrant Cloud server, but none is configured';
  if (qdrant === null || encryption) return neverRuns(LATE_INTERACTION.id, reason);
  const { createQdrantReranker } = await import('../../adapters/qdrant/rerank/qdrant-reranker.ts');
  return createQdrantReranker({ ...qdrant, model: LATE_INTERACTION });
}

function neverRuns(name: string, reason: string): Reranker {
  return {
    name,
    state: async () => ({ state: 'broken', directory: '', reason }),
    score: async () => {
      throw new SmartForkError('MODEL_UNAVAILABLE', reason);
    },
    close: async () => undefined,
  };
}

import type { Config } from '../../config/config.ts';
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

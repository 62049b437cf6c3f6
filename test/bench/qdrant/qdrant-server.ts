import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { startQdrantDouble } from '../../support/qdrant/double/server.ts';
import type { Bench } from '../bench.ts';

/** A collection that a bench creates and deletes. */
export interface BenchServer {
  url: string;
  apiKey: string | null;
  collection: string;
  /** Shown in every row, because the double's times say little about a server. */
  name: 'Qdrant' | 'the double';
  close(): Promise<void>;
}

const SERVE = 'serve-double';

/** The server at SMART_FORK_TEST_QDRANT_URL, or else the double in a separate process. */
export async function openBenchServer(): Promise<BenchServer> {
  const { SMART_FORK_TEST_QDRANT_URL: url, SMART_FORK_TEST_QDRANT_API_KEY: apiKey = null } = process.env;
  const collection = `smart_fork_bench_${randomUUID()}`;
  if (url !== undefined && url !== '') {
    const address = url.replace(/\/+$/, '');
    const headers: Record<string, string> = apiKey === null ? {} : { 'api-key': apiKey };
    const drop = async () => {
      await fetch(`${address}/collections/${collection}`, { method: 'DELETE', headers });
    };
    return { url: address, apiKey, collection, name: 'Qdrant', close: drop };
  }
  const child = spawn(process.execPath, [process.argv[1] ?? '', '--isolated', SERVE], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = await once(child, 'message');
  const close = async () => {
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  };
  return { url: String(message), apiKey: null, collection, name: 'the double', close };
}

/** Used by the other benches, as a process that ends with its parent. */
export const serveDouble: Bench = {
  name: SERVE,
  describe: '',
  async run() {
    const double = await startQdrantDouble();
    // The double records requests for tests, which would fill the memory here.
    double.requests.push = () => 0;
    process.send?.(double.url);
    await once(process, 'disconnect');
    await double.close();
    return [];
  },
};

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { QdrantOptions } from '../../../src/adapters/qdrant/options.ts';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { openSqliteOutbox } from '../../../src/adapters/sqlite/outbox/sqlite-outbox.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { readBoth } from '../../../src/app/share/ask/read-both.ts';
import {
  type DrainOptions,
  type DrainReport,
  drainOutbox,
} from '../../../src/app/share/send/drain-outbox.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import type { LocalStore, Outbox } from '../../../src/ports/outbox.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { SAMPLE_CHUNKING } from '../transcripts/sample-sessions.ts';
import type { DoubleOptions, QdrantDouble } from './double/server.ts';
import { qdrantOptions, startCheckedDouble } from './qdrant-place.ts';

/** A machine's stores, and its connection to the server. */
export interface SharingMachine {
  name: string;
  local: LocalStore;
  /** Both stores as one, for reading. */
  both: PointStore;
  outbox: Outbox;
  /** The local store's file, which includes the outbox. */
  indexPath: string;
  /** The server's store with short timeouts. */
  remote: RemoteStore;
  drain(options?: DrainOptions): Promise<DrainReport>;
  /** Opens the same machine in another process. */
  restart(): SharingMachine;
}

/** A server with several machines, and the test's clock. */
export interface SharedServer {
  double: QdrantDouble;
  clock: { now: number };
  machine(name: string): SharingMachine;
}

/** Long enough for a busy machine; tests of slowness set less. */
const PATIENCE_MS = 30_000;

export const NOON = Date.parse('2026-06-01T12:00:00Z');

/** @param store more options for the server's store */
export async function startSharedServer(
  options: DoubleOptions = {},
  store: Partial<QdrantOptions> = {},
): Promise<SharedServer> {
  const double = await startCheckedDouble(options);
  onTestFinished(() => double.close());
  const clock = { now: NOON };
  const machine = (name: string) => {
    const folder = join(tempFolder('sharing'), name);
    mkdirSync(folder);
    return openMachine(name, folder, double.url, clock, store);
  };
  return { double, clock, machine };
}

function openMachine(
  name: string,
  folder: string,
  url: string,
  clock: { now: number },
  store: Partial<QdrantOptions>,
): SharingMachine {
  const now = () => clock.now;
  const indexPath = join(folder, 'index.db');
  const local = openSqlitePointStore(indexPath, SAMPLE_CHUNKING, { now });
  const outbox = openSqliteOutbox({ path: indexPath, now });
  const retries = { reads: 0, writes: 0, wait: 1, longestWait: 1, longestRetryAfter: 0 };
  const remote = openQdrantPointStore(
    qdrantOptions(url, { retries, timeouts: { read: PATIENCE_MS, write: PATIENCE_MS }, ...store }),
  );
  const tokenizer = createLexicalTokenizer();
  const deps = { outbox, local, remote, tokenizer, machine: name, now };
  const handshake = { at: null };
  const close = async () => {
    await local.close();
    await remote.close();
    outbox.close();
  };
  onTestFinished(close);
  return {
    name,
    local,
    both: readBoth({
      bare: local,
      remote: async () => remote,
      outbox,
      machine: name,
      timeoutMs: PATIENCE_MS,
      now,
    }),
    outbox,
    indexPath,
    remote,
    drain: (options) => drainOutbox(deps, handshake, options),
    restart: () => openMachine(name, folder, url, clock, store),
  };
}

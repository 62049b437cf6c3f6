import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { openTextPoint } from '../../../src/adapters/sealed/seal-payload.ts';
import { keyStream, sealStore } from '../../../src/adapters/sealed/sealed-point-store.ts';
import { openSealedRemoteStore } from '../../../src/adapters/sealed/sealed-remote-store.ts';
import { createSealer, type Sealer } from '../../../src/adapters/sealed/sealer.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import type { ChunkPayload, MemoryPayload } from '../../../src/domain/point/point.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { lexicalTokens, type PointStore } from '../../../src/ports/point-store.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import type { StorePlace } from '../../contract/point-store.ts';
import { qdrantOptions, startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';
import { SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

/** Keys like those derived from a passphrase. */
export const sealer = createSealer(Buffer.alloc(32, 7));
export const otherSealer = createSealer(Buffer.alloc(32, 8));

/** SQLite computes a session's tokens from its chunks' texts, so the test must supply them. */
export function openSealedSqlite(path: string, key: Sealer = sealer): PointStore {
  const tokenizer = createLexicalTokenizer();
  const streamOf = (stored: ChunkPayload | MemoryPayload) =>
    keyStream(key, lexicalTokens(openTextPoint(key, stored), tokenizer) ?? '');
  return sealStore(key, openSqlitePointStore(path, SAMPLE_CHUNKING, { seal: key.keyId, streamOf }));
}

export function openSealedQdrant(url: string, key: Sealer = sealer): RemoteStore {
  return openSealedRemoteStore(key, (seal) => openQdrantPointStore(qdrantOptions(url, { seal })));
}

export async function sealedSqlitePlace(): Promise<StorePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-sealed-'));
  return {
    open: async () => openSealedSqlite(join(folder, 'index.db')),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function sealedDoublePlace(): Promise<StorePlace> {
  const double = await startCheckedDouble();
  return { open: async () => openSealedQdrant(double.url), remove: () => double.close() };
}

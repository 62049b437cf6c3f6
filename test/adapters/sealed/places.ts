import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { openSealedRemoteStore } from '../../../src/adapters/sealed/sealed-remote-store.ts';
import { createSealer, type Sealer } from '../../../src/adapters/sealed/sealer.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import type { StorePlace } from '../../contract/point-store.ts';
import { qdrantOptions, startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';

/** Keys like those derived from a passphrase. */
export const sealer = createSealer(Buffer.alloc(32, 7));
export const otherSealer = createSealer(Buffer.alloc(32, 8));

export function openSealedQdrant(url: string, key: Sealer = sealer): RemoteStore {
  return openSealedRemoteStore(key, (seal) => openQdrantPointStore(qdrantOptions(url, { seal })));
}

export async function sealedDoublePlace(): Promise<StorePlace> {
  const double = await startCheckedDouble();
  return { open: async () => openSealedQdrant(double.url), remove: () => double.close() };
}

import { SmartForkError } from '../../../domain/errors.ts';
import type { Notice } from '../../../domain/result.ts';
import type { LegacyCollection } from '../../../ports/legacy-collection.ts';
import type { LegacyStore } from './legacy-store.ts';

/** The way to a collection of the Python program, when the settings name one in place of ours. */
export interface LegacyGate {
  /** Looks whether that is why our store refuses its collection, and says so; from then on its sessions can be read. */
  recognise(error: SmartForkError): Promise<Notice | null>;
  /** Null while nobody has recognised it. */
  found(): FoundLegacy | null;
  close(): void;
}

export interface FoundLegacy {
  collection: LegacyCollection;
  store: LegacyStore;
}

export interface LegacyGateOptions {
  /** What the settings call the collection. */
  name: string;
  /** Null when it is not there, or another one's. */
  open(): Promise<(FoundLegacy & { byMeaning: boolean }) | null>;
  now: () => number;
}

/** A collection may be made anew as another one's; longer than a server that refuses is not asked. */
const RECOGNISED_MS = 60_000;

export function createLegacyGate({ name, open, now }: LegacyGateOptions): LegacyGate {
  let looked: { at: number; found: Promise<(FoundLegacy & { byMeaning: boolean }) | null> } | null = null;
  let current: FoundLegacy | null = null;
  const look = async () => {
    const before = current;
    const found = await open();
    before?.collection.close();
    current = found;
    return found;
  };
  return {
    async recognise({ code }) {
      if (code !== 'STORE_INCOMPATIBLE') return null;
      if (looked === null || Math.abs(now() - looked.at) >= RECOGNISED_MS)
        looked = { at: now(), found: look() };
      try {
        const found = await looked.found;
        return found === null ? null : noticeOf(name, found.byMeaning);
      } catch (error) {
        looked = null;
        if (error instanceof SmartForkError) return null;
        throw error;
      }
    },
    found: () => current,
    close() {
      current?.collection.close();
      current = null;
      looked = null;
    },
  };
}

function noticeOf(name: string, byMeaning: boolean): Notice {
  const how = byMeaning ? 'read only' : 'read only, and found by words';
  return {
    code: 'LEGACY_COLLECTION',
    message: `${name} is the collection of the first, Python smart-fork: its sessions are ${how}; nothing is sent there`,
    hint: `set QDRANT_COLLECTION to another name, then take them over: smart-fork migrate --to qdrant --from ${name}`,
  };
}

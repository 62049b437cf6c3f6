import type { ArchivePoint, RemoteStore, Tombstone } from '../../ports/remote-store.ts';
import { sealStore } from './sealed-point-store.ts';
import type { Sealer } from './sealer.ts';

/** A shared store whose texts are sealed; see `sealStore`. Bytes of transcripts are sealed as bytes. */
export function openSealedRemoteStore(sealer: Sealer, open: (seal: string) => RemoteStore): RemoteStore {
  const inner = open(sealer.keyId);
  return {
    ...sealStore(sealer, inner),
    describe: () => inner.describe(),
    forgetSessions: (tombstones) => inner.forgetSessions(tombstones.map((one) => sealTombstone(sealer, one))),
    liftTombstones: (ids) => inner.liftTombstones(ids),
    tombstones: async (ids) => (await inner.tombstones(ids)).map((one) => openTombstone(sealer, one)),
    putArchive: (points) => inner.putArchive(points.map((point) => sealArchive(sealer, point))),
    commitArchive: ({ last, manifest, ...rest }) =>
      inner.commitArchive({
        ...rest,
        last: last.map((point) => sealArchive(sealer, point)),
        manifest: sealArchive(sealer, manifest),
      }),
    getArchive: async (ids) => (await inner.getArchive(ids)).map((point) => openArchive(sealer, point)),
    hasArchive: (ids) => inner.hasArchive(ids),
    listArchive: async () => (await inner.listArchive()).map((point) => openArchive(sealer, point)),
    deleteArchive: (ids) => inner.deleteArchive(ids),
  };
}

function sealTombstone(sealer: Sealer, tombstone: Tombstone): Tombstone {
  return { ...tombstone, machine: sealer.sealName('machine', tombstone.machine) };
}

function openTombstone(sealer: Sealer, tombstone: Tombstone): Tombstone {
  return { ...tombstone, machine: sealer.openName('machine', tombstone.machine) };
}

function sealArchive(sealer: Sealer, point: ArchivePoint): ArchivePoint {
  return { ...point, bytes: sealer.sealBytes(point.bytes, point.id) };
}

function openArchive(sealer: Sealer, point: ArchivePoint): ArchivePoint {
  return { ...point, bytes: sealer.openBytes(point.bytes, point.id) };
}

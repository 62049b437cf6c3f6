import { pointId } from '../../domain/point/point-id.ts';
import type {
  ArchiveCommit,
  ArchivePoint,
  RemoteStore,
  SharedWrite,
  Tombstone,
} from '../../ports/remote-store.ts';
import { openEach, sealChange, sealStore } from './sealed-point-store.ts';
import type { Sealer } from './sealer.ts';

/** `sealStore` for a shared store. Transcripts are sealed as bytes. */
export function openSealedRemoteStore(sealer: Sealer, open: (seal: string) => RemoteStore): RemoteStore {
  const inner = open(sealer.keyId);
  const damaged = ({ session_id }: { session_id: string }) => inner.noteDamage(session_id);
  return {
    ...sealStore(sealer, inner, damaged),
    send: (changes, along) =>
      inner.send(
        changes.map((change) => sealChange(sealer, change)),
        sealAlong(sealer, along),
      ),
    describe: () => inner.describe(),
    layout: () => inner.layout(),
    notices: () => inner.notices(),
    noteDamage: inner.noteDamage,
    handshake: async () => {
      const { storeId, tombstones } = await inner.handshake();
      return { storeId, tombstones: tombstones.map((one) => openTombstone(sealer, one)) };
    },
    forgetSessions: (tombstones) => inner.forgetSessions(tombstones.map((one) => sealTombstone(sealer, one))),
    liftTombstones: (ids) => inner.liftTombstones(ids),
    tombstones: async (ids) => (await inner.tombstones(ids)).map((one) => openTombstone(sealer, one)),
    putArchive: (points) => inner.putArchive(points.map((point) => sealArchive(sealer, point))),
    getArchive: async (ids) => (await inner.getArchive(ids)).map((point) => openArchive(sealer, point)),
    hasArchive: (ids) => inner.hasArchive(ids),
    manifests: async (ids) =>
      openEach(
        await inner.manifests(ids),
        (point) => openArchive(sealer, point),
        ({ sessionId }) => inner.noteDamage(sessionId),
      ),
  };
}

function sealTombstone(sealer: Sealer, tombstone: Tombstone): Tombstone {
  return { ...tombstone, machine: sealer.sealName('machine', tombstone.machine) };
}

function openTombstone(sealer: Sealer, tombstone: Tombstone): Tombstone {
  // The machine's name is only displayed, so one that cannot be opened must not keep the other tombstones from being followed.
  const [machine = ''] = openEach(
    [tombstone.machine, null],
    (name) => (name === null ? '' : sealer.openName('machine', name)),
    () => undefined,
  );
  return { ...tombstone, machine };
}

function sealAlong(sealer: Sealer, { transcripts, ...along }: SharedWrite): SharedWrite {
  if (transcripts === undefined) return along;
  const { of, prepare } = transcripts;
  return {
    ...along,
    transcripts: {
      of: of.map(({ sessionId, contentHash }) => ({
        sessionId,
        contentHash: sealer.sealHash(pointId(sessionId, 'session'), contentHash),
      })),
      async prepare(sessionId, manifest) {
        const commit = await prepare(sessionId, manifest && openArchive(sealer, manifest));
        return commit && sealCommit(sealer, commit);
      },
    },
  };
}

function sealCommit(sealer: Sealer, { last, manifest, ...commit }: ArchiveCommit): ArchiveCommit {
  return {
    ...commit,
    last: last.map((point) => sealArchive(sealer, point)),
    manifest: sealArchive(sealer, manifest),
  };
}

function sealArchive(sealer: Sealer, point: ArchivePoint): ArchivePoint {
  return { ...point, bytes: sealer.sealBytes(point.bytes, point.id) };
}

function openArchive(sealer: Sealer, point: ArchivePoint): ArchivePoint {
  return { ...point, bytes: sealer.openBytes(point.bytes, point.id) };
}

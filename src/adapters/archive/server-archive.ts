import { errorText, SmartForkError } from '../../domain/errors.ts';
import { archiveId } from '../../domain/point/point-id.ts';
import { transcriptHash } from '../../domain/point/session-points.ts';
import type { ArchiveCommit, ArchivePoint, RemoteStore } from '../../ports/remote-store.ts';
import type {
  ArchivedPart,
  ArchivedTranscript,
  SharedArchive,
  SharedTranscript,
} from '../../ports/session-archive.ts';
import { compressPart, decompressPart, digestOf } from './compress-part.ts';
import { readServerManifest, writeServerManifest } from './server-manifest.ts';

export type ServerArchive = Omit<SharedArchive, 'name' | 'mayHold'>;
type Part = SharedTranscript['parts'][number];

/** Parts per request, 2 MB at most. */
const TOGETHER = 4;

/** The archive on a server: one point per Brotli-compressed part. The manifest is a field of the session point. */
export function openServerArchive(remote: () => Promise<RemoteStore>): ServerArchive {
  return {
    find: async (sessionId) => findTranscript(await remote(), sessionId),
    async *read(kept) {
      yield* readParts(await remote(), kept);
    },
    findByPrefix: async (prefix, limit) => findByPrefix(await remote(), prefix, limit),
    complete: async (kept) => {
      const ids = partIds(kept);
      return (await (await remote()).hasArchive(ids)).size === new Set(ids).size;
    },
    open: openManifest,
    prepare: async (...what) => prepareTranscript(await remote(), ...what),
    size: async () => sizeOf(await remote()),
  };
}

async function findTranscript(remote: RemoteStore, sessionId: string): Promise<SharedTranscript | null> {
  const [point] = await remote.manifests([sessionId]);
  return point === undefined ? null : openManifest(sessionId, point);
}

function openManifest(sessionId: string, { bytes }: ArchivePoint): SharedTranscript {
  const manifest = readServerManifest(bytes);
  if (manifest?.sessionId !== sessionId) throw damaged(sessionId, 'not a manifest');
  return manifest;
}

async function* readParts(remote: RemoteStore, kept: ArchivedTranscript): AsyncGenerator<Uint8Array> {
  const ids = partIds(kept);
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER);
    const found = new Map((await remote.getArchive(some)).map((point) => [point.id, point]));
    for (const [offset, id] of some.entries())
      yield await openPart(remote, kept, at + offset, found.get(id) ?? null);
  }
}

async function openPart(
  remote: RemoteStore,
  kept: ArchivedTranscript,
  index: number,
  point: ArchivePoint | null,
): Promise<Uint8Array> {
  const part = kept.parts[index];
  if (point === null) throw await missing(remote, kept, index);
  const raw = await decompressPart(point.bytes, part?.bytes ?? 0).catch((error: unknown) => {
    throw damaged(kept.sessionId, `part ${index}: ${errorText(error)}`, error);
  });
  if (raw.length !== part?.bytes || digestOf(raw) !== part.digest)
    throw damaged(kept.sessionId, `the digest of part ${index} does not match`);
  return raw;
}

/** The manifest may be replaced during the read; it then names other parts. */
async function missing(
  remote: RemoteStore,
  kept: ArchivedTranscript,
  index: number,
): Promise<SmartForkError> {
  const now = await findTranscript(remote, kept.sessionId);
  if (now?.contentHash === kept.contentHash) return damaged(kept.sessionId, `part ${index} is missing`);
  const message = `session ${kept.sessionId} was archived again on the server during the read`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message, { hint: 'Run the command again.' });
}

async function findByPrefix(remote: RemoteStore, prefix: string, limit: number): Promise<string[]> {
  const ids = (await remote.findByIdPrefix(prefix, limit)).map(({ session_id }) => session_id);
  const there = new Set((await remote.manifests(ids)).map(({ sessionId }) => sessionId));
  return ids.filter((id) => there.has(id));
}

async function prepareTranscript(
  remote: RemoteStore,
  ...[transcript, known, first, content]: Parameters<SharedArchive['prepare']>
): Promise<ArchiveCommit> {
  const { sessionId } = transcript;
  const parts: Part[] = known?.parts.slice(0, first) ?? [];
  const superseded: string[] = [];
  let last: ArchivePoint[] = [];
  for await (const raw of content.parts) {
    const [index, digest] = [parts.length, digestOf(raw)];
    const old = known?.parts[index];
    if (old?.digest === digest) {
      parts.push(old);
      continue;
    }
    if (old !== undefined && isBeginning(old, raw)) superseded.push(partId(sessionId, index, old.digest));
    if (last.length === TOGETHER) {
      await remote.putArchive(last);
      last = [];
    }
    const bytes = await compressPart(raw);
    last.push({ id: partId(sessionId, index, digest), sessionId, kind: 'part', bytes });
    parts.push({ digest, bytes: raw.length, storedBytes: storedBytes(bytes) });
  }
  const kept = archivedTranscript(transcript, parts, content.places());
  const named = partIds(kept);
  const staying = new Set([...named, ...superseded]);
  return {
    sessionId,
    last,
    named,
    superseded,
    manifest: { id: archiveId(sessionId), sessionId, kind: 'manifest', bytes: writeServerManifest(kept) },
    cleans: known !== null && partIds(known).some((id) => !staying.has(id)),
  };
}

function isBeginning(old: ArchivedPart, raw: Uint8Array): boolean {
  return old.bytes < raw.length && digestOf(raw.subarray(0, old.bytes)) === old.digest;
}

function archivedTranscript(
  transcript: Parameters<SharedArchive['prepare']>[0],
  parts: Part[],
  places: number,
): SharedTranscript {
  return {
    ...transcript,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    contentHash: transcriptHash(parts.map(({ digest }) => digest)),
    parts,
    redacted: places > 0 ? { places, bytes: transcript.original.bytes } : undefined,
  };
}

function partIds({ sessionId, parts }: { sessionId: string; parts: ArchivedPart[] }): string[] {
  return parts.map(({ digest }, index) => partId(sessionId, index, digest));
}

function partId(sessionId: string, index: number, digest: string): string {
  return archiveId(sessionId, { index, digest });
}

/** The size in base64, as bytes are stored in a JSON payload. */
function storedBytes(compressed: Uint8Array): number {
  return 4 * Math.ceil(compressed.length / 3);
}

/** The size of more sessions is estimated from the newest of them. */
const MEASURED = 1000;

async function sizeOf(remote: RemoteStore): ReturnType<SharedArchive['size']> {
  const [manifests, { sessions }] = await Promise.all([
    remote.manifests({ newest: MEASURED }),
    remote.count(),
  ]);
  const kept = manifests.flatMap(({ bytes }) => readServerManifest(bytes) ?? []);
  const scaled = (measured: number) => Math.round(measured * Math.max(1, sessions / MEASURED));
  return {
    sessions: scaled(kept.length),
    bytes: scaled(kept.reduce((sum, { original }) => sum + original.bytes, 0)),
    storedBytes: scaled(kept.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.storedBytes, 0)),
  };
}

function damaged(sessionId: string, reason: string, cause?: unknown): SmartForkError {
  return new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `the archive on the server is damaged for session ${sessionId}: ${reason}`,
    {
      hint: `On the machine that has the transcript, run: smart-fork index --session ${sessionId} --force`,
      cause,
    },
  );
}

import { SmartForkError } from '../../../domain/errors.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { transcriptHash } from '../../../domain/point/session-points.ts';
import { nodeCrypto } from '../../../domain/text/hash.ts';
import { type ArchiveReader, PART_BYTES } from '../../../ports/session-archive.ts';
import type { TranscriptSource } from '../../../ports/transcript-source.ts';

type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A transcript's bytes up to where it was indexed. */
export interface Original {
  /** One digest per part. */
  digests: string[];
  /** Yields its parts from this index on. */
  from(index: number): AsyncIterable<Uint8Array>;
}

/**
 * The bytes that a session was indexed from: the transcript or its archived copy. Null if neither is in the indexed state: the
 * transcript has changed since, and will be indexed again.
 */
export async function findOriginal(
  { sources, kept }: { sources: TranscriptSource[]; kept: ArchiveReader },
  session: SessionPayload,
): Promise<Original | null> {
  const source = sources.find(({ agent }) => agent === session.agent);
  const path = source?.inspect(session.jsonl_path)?.path ?? source?.locate(session.session_id) ?? null;
  const bytes = source?.bytes;
  if (bytes !== undefined && path !== null) {
    const found = await checked(session, (index) => bytes.parts(path, index));
    if (found !== null) return found;
  }
  const copy = await unlessUnreadable(() => kept.find(session.session_id));
  return copy === null ? null : checked(session, (index) => skip(kept.read(copy), index));
}

async function checked(session: SessionPayload, read: (index: number) => Parts): Promise<Original | null> {
  const from = (index: number) => upTo(session.bytes - index * PART_BYTES, read(index));
  const digests = await unlessUnreadable(() => digestsOf(from(0)));
  if (digests === null || transcriptHash(digests) !== session.content_hash) return null;
  return { digests, from };
}

async function* upTo(bytes: number, parts: Parts): AsyncGenerator<Uint8Array> {
  let left = bytes;
  if (left <= 0) return;
  for await (const part of parts) {
    yield part.subarray(0, left);
    left -= part.length;
    if (left <= 0) return;
  }
}

async function* skip(parts: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let index = 0;
  for await (const part of parts) if (index++ >= count) yield part;
}

async function digestsOf(parts: AsyncIterable<Uint8Array>): Promise<string[]> {
  const digests: string[] = [];
  for await (const part of parts) digests.push(nodeCrypto().createHash('sha256').update(part).digest('hex'));
  return digests;
}

/** Null if a transcript or a copy cannot be read. */
export async function unlessUnreadable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SmartForkError && error.code === 'TRANSCRIPT_UNREADABLE') return null;
    throw error;
  }
}

import type { BundledTranscript } from '../../domain/bundle/bundle-format.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { subagentId } from '../../domain/session/session-id.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';
import type { TranscriptBytes, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { archivedSubagents } from '../archive/restore-subagents.ts';

export interface TranscriptDependencies {
  archive: SessionArchive;
  sources: TranscriptSource[];
}

/** A transcript in the agent's folder or in the archive, which can be read more than once. */
interface ReadableTranscript {
  agentId: string | null;
  /** Estimated size in bytes, before it is read. */
  about: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A session's transcripts on this machine: its own, if present, then its subagents'. */
export async function transcriptsOf(
  deps: TranscriptDependencies,
  session: SessionPayload,
): Promise<ReadableTranscript[]> {
  const { archive } = deps;
  const { session_id: id } = session;
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const path = source?.locate(id) ?? null;
  const file = path === null ? null : (source?.inspect(path) ?? null);
  const bytes = source?.bytes;
  const here = bytes === undefined || file === null || file.onlyPrompts === true ? null : { bytes, file };
  const live = here && fromFile(here.bytes, here.file, null);
  const kept = await archived(archive, id, null);
  // The index describes the archived state, while the file may be growing.
  const own =
    kept?.contentHash === session.content_hash ? kept.transcript : (live ?? kept?.transcript ?? null);
  const agents = new Map(
    (here?.file.subagents ?? []).flatMap((one) =>
      here === null ? [] : [[one.agentId, fromFile(here.bytes, one, one.agentId)]],
    ),
  );
  for (const agentId of await archivedSubagents([archive], id)) {
    const copy = agents.has(agentId) ? null : await archived(archive, subagentId(id, agentId), agentId);
    if (copy !== null) agents.set(agentId, copy.transcript);
  }
  return [...(own === null ? [] : [own]), ...agents.values()];
}

/** Reads a transcript once to determine its size and hash. */
export async function measure({ agentId, read }: ReadableTranscript): Promise<BundledTranscript> {
  const hash = nodeCrypto().createHash('sha256');
  let bytes = 0;
  for await (const part of read()) {
    hash.update(part);
    bytes += part.length;
  }
  return { agent_id: agentId, bytes, sha256: hash.digest('hex') };
}

/** Yields the bytes that were measured, even if the agent has appended more. */
export async function* measured(
  transcript: ReadableTranscript,
  { bytes, sha256 }: BundledTranscript,
): AsyncGenerator<Uint8Array> {
  const hash = nodeCrypto().createHash('sha256');
  let left = bytes;
  for await (const part of transcript.read()) {
    const piece = part.subarray(0, left);
    hash.update(piece);
    left -= piece.length;
    if (piece.length > 0) yield piece;
    if (left === 0) break;
  }
  if (left === 0 && hash.digest('hex') === sha256) return;
  throw new SmartForkError('TRANSCRIPT_UNREADABLE', 'a transcript was rewritten while it was exported', {
    hint: 'Nothing was written. Run the command again.',
  });
}

function fromFile(
  bytes: TranscriptBytes,
  { path, size }: Pick<TranscriptFile, 'path' | 'size'>,
  agentId: string | null,
): ReadableTranscript {
  return {
    agentId,
    about: size,
    async *read() {
      yield* bytes.parts(path, 0);
    },
  };
}

/** Null if the session is not archived or its copy is damaged. */
async function archived(archive: SessionArchive, id: string, agentId: string | null) {
  try {
    const kept = await archive.find(id);
    if (kept === null) return null;
    const transcript = { agentId, about: kept.bytes, read: () => archive.read(kept) };
    return { contentHash: kept.contentHash, transcript };
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

import { AGENTS } from '../../domain/agent/agents.ts';
import { isRecord } from '../../domain/is-record.ts';
import { transcriptHash } from '../../domain/point/session-points.ts';
import type { ArchivedTranscript, ArchiveEntry } from '../../ports/session-archive.ts';
import { parseJson } from '../jsonl/read-value.ts';

/** The archive's record of one session; it commits the parts that it names. */
export interface Manifest extends ArchivedTranscript {
  source: ArchiveEntry['source'];
  parts: ManifestPart[];
}

interface ManifestPart {
  digest: string;
  bytes: number;
  storedBytes: number;
}

/** A part's file name contains its digest, so a part is never overwritten under a reader. */
export function partName(index: number, digest: string): string {
  return `${String(index).padStart(5, '0')}-${digest.slice(0, 32)}.br`;
}

export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify({ version: 1, ...manifest })}\n`;
}

/** Null unless the text is a consistent manifest. */
export function readManifest(text: string): Manifest | null {
  const value = parseJson(text);
  if (!isRecord(value) || value.version !== 1) return null;
  const { sessionId, bytes, contentHash, source, parts } = value;
  const agent = AGENTS.find((one) => one === value.agent);
  if (typeof sessionId !== 'string' || agent === undefined || typeof bytes !== 'number') return null;
  if (typeof contentHash !== 'string' || !isSource(source)) return null;
  if (!Array.isArray(parts) || !parts.every(isPart)) return null;
  const isWhole =
    contentHash === transcriptHash(parts.map(({ digest }) => digest)) &&
    bytes === parts.reduce((sum, part) => sum + part.bytes, 0);
  return isWhole ? { sessionId, agent, bytes, contentHash, source, parts } : null;
}

function isSource(value: unknown): value is Manifest['source'] {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    [value.size, value.mtimeMs, value.inode].every((number) => typeof number === 'number')
  );
}

function isPart(value: unknown): value is ManifestPart {
  return (
    isRecord(value) &&
    typeof value.digest === 'string' &&
    /^[0-9a-f]{64}$/.test(value.digest) &&
    typeof value.bytes === 'number' &&
    typeof value.storedBytes === 'number'
  );
}

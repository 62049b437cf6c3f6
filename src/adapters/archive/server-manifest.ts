import * as z from 'zod';
import { AGENTS } from '../../domain/agent/agents.ts';
import { transcriptHash } from '../../domain/point/session-points.ts';
import { MAX_SHARED_BYTES, PART_BYTES, type SharedTranscript } from '../../ports/session-archive.ts';
import { parseJson } from '../jsonl/read-value.ts';

const size = z.number().int().min(0);
const manifestSchema = z.object({
  version: z.literal(1),
  sessionId: z.string(),
  agent: z.enum(AGENTS),
  bytes: size,
  contentHash: z.string(),
  original: z.object({ bytes: size, contentHash: z.string() }),
  rules: z.string(),
  places: size,
  parts: z.array(z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/), bytes: size, storedBytes: size })),
});

export function writeServerManifest({ redacted, ...manifest }: SharedTranscript): Uint8Array {
  return Buffer.from(JSON.stringify({ version: 1, ...manifest, places: redacted?.places ?? 0 }));
}

/** Null unless the text is a consistent manifest. */
export function readServerManifest(bytes: Uint8Array): SharedTranscript | null {
  const checked = manifestSchema.safeParse(parseJson(Buffer.from(bytes).toString()));
  if (!checked.success) return null;
  const { version: _, places, ...manifest } = checked.data;
  const isWhole =
    manifest.bytes <= MAX_SHARED_BYTES &&
    manifest.parts.every((part, index, { length }) => isPartSize(part.bytes, index === length - 1)) &&
    manifest.contentHash === transcriptHash(manifest.parts.map(({ digest }) => digest)) &&
    manifest.bytes === manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
  if (!isWhole) return null;
  return { ...manifest, redacted: places > 0 ? { places, bytes: manifest.original.bytes } : undefined };
}

/** Only the last part is shorter. */
function isPartSize(bytes: number, isLast: boolean): boolean {
  return isLast ? bytes > 0 && bytes <= PART_BYTES : bytes === PART_BYTES;
}

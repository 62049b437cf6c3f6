import type { ModelRecord } from '../../domain/model/model-record.ts';
import type { PrivacyRules } from '../privacy/privacy-rules.ts';

/** Incremented when the chunker changes; the store must then be rebuilt. */
const RULES = 1;

/** Incremented when transcripts are read or redacted differently: each is then read again, and what differs is written. */
const READERS = 48;

/** Names how text is chunked for a model. Points chunked under another name must be rebuilt. */
export function chunkingName({ chunk }: ModelRecord): string {
  return `${RULES}:${chunk.min}-${chunk.target}-${chunk.max}/${chunk.overlap}`;
}

/** Part of a cursor's key. If the readers, chunk sizes or privacy rules change, every transcript is read again. */
export function readingRules(model: ModelRecord, privacy: PrivacyRules): string {
  return `${READERS} ${chunkingName(model)} ${privacy.name}`;
}

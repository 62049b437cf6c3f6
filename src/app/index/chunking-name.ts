import type { ModelRecord } from '../../domain/model/model-record.ts';

/** Incremented when the readers or the chunker change; every transcript is then read again. */
const RULES = 1;

/** Names how text is chunked for a model. Points with another name must be rebuilt. */
export function chunkingName({ chunk }: ModelRecord): string {
  return `${RULES}:${chunk.min}-${chunk.target}-${chunk.max}/${chunk.overlap}`;
}

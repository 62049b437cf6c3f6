import type { ModelRecord } from '../../domain/model/model-record.ts';

/** Goes up when transcripts are read or cut by other rules: everything is then read again. */
const RULES = 1;

/** Names how text is cut for a model; points of another name must be made anew. */
export function chunkingName({ chunk }: ModelRecord): string {
  return `${RULES}:${chunk.min}-${chunk.target}-${chunk.max}/${chunk.overlap}`;
}

import type { ModelRecord } from './model-record.ts';

/** Sizes are estimates, so passages take at most two thirds of what a model reads. */
const SHARE = 0.65;
const LARGEST_OVERLAP = 0.2;

/** A model with the user's sizes of passages, as far as it can read them. Its own stay if that leaves them as they are. */
export function withChunkSizes(
  record: ModelRecord,
  wanted: { target: number | null; overlap: number | null },
): ModelRecord {
  const { chunk } = record;
  const most = Math.max(chunk.max, Math.round(record.maxTokens * SHARE));
  const fitting = (target: number) => Math.min(Math.round((target * 4) / 3), most);
  const target = wanted.target === null ? chunk.target : Math.min(wanted.target, largestTarget(record));
  const overlap = Math.min(wanted.overlap ?? chunk.overlap, Math.round(target * LARGEST_OVERLAP));
  if (target === chunk.target)
    return overlap === chunk.overlap ? record : { ...record, chunk: { ...chunk, overlap } };
  return { ...record, chunk: { min: Math.round((target * 2) / 3), target, max: fitting(target), overlap } };
}

function largestTarget({ chunk, maxTokens }: ModelRecord): number {
  return Math.max(chunk.target, Math.round(maxTokens * SHARE * 0.75));
}

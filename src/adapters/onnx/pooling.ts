import type { ModelRecord } from '../../domain/model/model-record.ts';

/**
 * Pools the token vectors in `hidden` (shape tokens × dimensions) into a unit vector: their mean, or the first token's vector.
 * Without padding there is no attention mask.
 */
export function poolTokens(
  hidden: Float32Array,
  tokens: number,
  { dimensions, pooling }: Pick<ModelRecord, 'dimensions' | 'pooling'>,
): Float32Array {
  const sum = new Float64Array(dimensions);
  const counted = pooling === 'cls' ? 1 : tokens;
  for (let token = 0, at = 0; token < counted; token++) {
    for (let d = 0; d < dimensions; d++, at++) sum[d] = (sum[d] ?? 0) + (hidden[at] ?? 0);
  }
  return toUnitLength(sum);
}

/** Scales to length 1. A vector without direction (zeros, NaN) becomes the first axis. */
function toUnitLength(vector: Float64Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const unit = new Float32Array(vector.length);
  if (Number.isFinite(squares) && squares > 0) {
    const scale = 1 / Math.sqrt(squares);
    for (let d = 0; d < vector.length; d++) unit[d] = (vector[d] ?? 0) * scale;
  } else {
    unit[0] = 1;
  }
  return unit;
}

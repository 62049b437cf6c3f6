/** Memory for a body is bounded by this, whatever was asked for. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Reads a body up to `limit` bytes, then drops the connection. `isWhole` is false if more would have followed. A timer cannot
 * bound a fast server that never ends: while data arrives, timers wait.
 */
export async function readLimited(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    // Leaving the loop cancels the body.
    if (length > limit) return { bytes: Buffer.concat(pieces), isWhole: false };
    pieces.push(piece);
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}

/** In the units of the limits. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

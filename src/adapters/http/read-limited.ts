/** Bounds the memory for a body, whatever was requested. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Reads a body up to `limit` bytes, then drops the connection. `isWhole` is false if more would have followed. A time limit does not
 * stop a fast endless server, because timers do not fire while data arrives.
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

/** The unit of the limits. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

/** How a file relates to a copy: equal, a prefix of it (`shorter`), a continuation (`longer`), or different. */
export type Comparison = 'same' | 'shorter' | 'longer' | 'different';

/** Both are split into parts of the same size; only the last part may be shorter. */
export async function compareTranscript(
  parts: Iterable<Uint8Array>,
  copy: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Comparison> {
  const file = parts[Symbol.iterator]();
  try {
    for await (const part of copy) {
      const found = file.next();
      if (found.done === true) return 'shorter';
      const common = Math.min(found.value.length, part.length);
      if (!isEqual(found.value.subarray(0, common), part.subarray(0, common))) return 'different';
      if (found.value.length < part.length) return 'shorter';
      if (found.value.length > part.length) return 'longer';
    }
    return file.next().done === true ? 'same' : 'longer';
  } finally {
    file.return?.();
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

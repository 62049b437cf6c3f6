export const BLOCK_BYTES = 1024 * 1024;

let spare: Buffer | null = null;

/** A block of BLOCK_BYTES to read into, to be returned: a new one for each file costs more than reading into it. */
export function borrowBlock(): Buffer {
  const block = spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  spare = null;
  return block;
}

/** A block of another size is left to the garbage collector. */
export function returnBlock(block: Buffer): void {
  if (block.length === BLOCK_BYTES) spare = block;
}

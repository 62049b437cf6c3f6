export const BLOCK_BYTES = 1024 * 1024;

let spare: Buffer | null = null;

/** A block to read into, of BLOCK_BYTES: a fresh one for every file costs more than reading into it. Give it back. */
export function borrowBlock(): Buffer {
  const block = spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  spare = null;
  return block;
}

/** Takes a block back; one of another size is left to the garbage collector. */
export function returnBlock(block: Buffer): void {
  if (block.length === BLOCK_BYTES) spare = block;
}

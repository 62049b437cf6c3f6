export const BLOCK_BYTES = 1024 * 1024;

let spare: Buffer | null = null;

/** A block of BLOCK_BYTES to read into. Return it afterwards: allocating one per file costs more than filling it. */
export function borrowBlock(): Buffer {
  const block = spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  spare = null;
  return block;
}

/** Ignores blocks of another size. */
export function returnBlock(block: Buffer): void {
  if (block.length === BLOCK_BYTES) spare = block;
}

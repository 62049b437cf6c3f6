/** A bar filling `share` of `width` columns, drawn with partial blocks. */
export function filled(share: number, width: number, blocks: readonly string[]): string {
  const steps = Math.round(Math.min(1, Math.max(0, share)) * width * blocks.length);
  const rest = steps % blocks.length;
  const full = blocks.at(-1) ?? '';
  return full.repeat(Math.floor(steps / blocks.length)) + (rest > 0 ? (blocks[rest - 1] ?? '') : '');
}

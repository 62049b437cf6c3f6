import type { EmbeddingRefusals, Refusal } from '../../../src/ports/embedder.ts';

/** Refusals in memory, for as long as a test says. */
export function keptRefusals(): EmbeddingRefusals & { noted: Refusal[]; forget(): void } {
  let current: Refusal | null = null;
  const noted: Refusal[] = [];
  return {
    noted,
    current: () => current,
    note(refusal) {
      current = refusal;
      noted.push(refusal);
    },
    clear: () => {
      current = null;
    },
    forget: () => {
      current = null;
    },
  };
}

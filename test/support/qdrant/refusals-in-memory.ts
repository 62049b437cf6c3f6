import type { Problem } from '../../../src/domain/errors.ts';
import type { EmbeddingRefusals } from '../../../src/ports/embedder.ts';

/** Refusals in memory, until the test clears them. */
export function keptRefusals(): EmbeddingRefusals & { noted: Problem[]; forget(): void } {
  let current: Problem | null = null;
  const noted: Problem[] = [];
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

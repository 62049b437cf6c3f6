import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Claude Code's home in the corpus of real transcripts, where it lies beside the repository; else null. */
export function findCorpus(): string | null {
  for (const up of ['../../../', '../../../../']) {
    const path = fileURLToPath(new URL(`${up}shared/corpora/claude`, import.meta.url));
    if (existsSync(path)) return path;
  }
  return null;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of all-MiniLM-L6-v2, if there is one: SMART_FORK_TEST_MODEL, or shared/models next to the repository.
 * Real weights are too large for the repository.
 */
export function findRealModel(): string | undefined {
  const folders = [
    process.env.SMART_FORK_TEST_MODEL,
    join('..', 'shared', 'models', 'all-MiniLM-L6-v2'),
    join('..', '..', 'shared', 'models', 'all-MiniLM-L6-v2'),
  ];
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, 'tokenizer.json')));
}

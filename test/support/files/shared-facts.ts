import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file among the recordings and documents next to the repository; null without them. */
export function readFact(name: string): string | null {
  const root = join(import.meta.dirname, '..', '..', '..');
  for (const beside of ['../shared/facts', '../../shared/facts']) {
    const path = join(root, beside, name);
    if (existsSync(path)) return readFileSync(path, 'utf8');
  }
  return null;
}

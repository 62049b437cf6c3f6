import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';

const MOST_MAPPED = 192 * 1024 * 1024;

it('maps some of an index into memory for searches, and at most 192 MB of a large one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mapped-memory-'));
  try {
    const database = openDatabase(join(folder, 'index.db'));
    const mapped = Number(database.prepare('PRAGMA mmap_size').get()?.mmap_size);
    database.close();
    expect(mapped).toBeGreaterThan(0);
    expect(mapped).toBeLessThanOrEqual(MOST_MAPPED);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

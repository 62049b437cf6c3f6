import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

describePointStore('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-store-'));
  return {
    open: async () => openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

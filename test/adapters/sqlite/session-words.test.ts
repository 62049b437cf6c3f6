import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReadOnly } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

const WORDS = Array.from({ length: 300 }, (_, at) => `part${at}`);
const TIMES = 50;

describe('the words of a session', () => {
  it('take one byte for each time that they occur again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'smart-fork-session-words-'));
    const path = join(folder, 'index.db');
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    try {
      await store.write([
        changeOf({ id: 's', chunks: Array.from({ length: TIMES }, () => WORDS.join(' ')) }),
      ]);
      const reader = openReadOnly(path, 1000);
      const bytes = Number(reader.prepare('SELECT sum(length(block)) AS n FROM session_fts_data').get()?.n);
      reader.close();
      // Each word, its stem, and its pair with the next one.
      const tokens = 3 * WORDS.length * TIMES;
      expect(bytes).toBeGreaterThan(tokens);
      expect(bytes).toBeLessThan(1.5 * tokens);
      const { lists } = await store.find({ tokens: ['part7'], vector: null, filter: {} });
      expect(lists.sessionsByWords).toHaveLength(1);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

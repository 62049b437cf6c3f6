import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReadOnly } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { WORD_TABLES } from '../../../src/adapters/sqlite/points/word-tables.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

const SESSIONS = 60;

describe('a store that was written in many small steps', () => {
  it('merges full-text segments in a refresh without changing any answer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'smart-fork-merge-'));
    const path = join(folder, 'index.db');
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    const reader = openReadOnly(path, 1000);
    const most = () =>
      Math.max(
        ...WORD_TABLES.map((table) =>
          Number(reader.prepare(`SELECT count(DISTINCT segid) AS n FROM ${table}_idx`).get()?.n),
        ),
      );
    try {
      let scattered = 0;
      for (let at = 0; at < SESSIONS; at += 1) {
        const chunks = [`valve number${at} turns`, `${'valve '.repeat(at % 7)}pump${at % 5}`];
        await store.write([changeOf({ id: `s${at}`, chunks })]);
        scattered = Math.max(scattered, most());
        if (scattered > 8) break;
      }
      expect(scattered).toBeGreaterThan(8);
      const ask = () => store.find({ tokens: ['valve', 'pump3', 'turns'], vector: null, filter: {} });
      const before = await ask();
      await store.refresh();
      expect(most()).toBe(1);
      expect((await ask()).lists).toEqual(before.lists);
    } finally {
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

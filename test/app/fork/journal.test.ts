import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { openSqliteForkJournal } from '../../../src/adapters/sqlite/state/sqlite-fork-journal.ts';
import { openSqliteIndexState } from '../../../src/adapters/sqlite/state/sqlite-index-state.ts';
import { resolveForks } from '../../../src/app/fork/resolve-forks.ts';
import type { ForkChoice, ForkJournal } from '../../../src/ports/fork-journal.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

let folder: string;
let journal: ForkJournal;
let store: PointStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-journal-'));
  journal = openSqliteForkJournal(join(folder, 'state.db'));
  store = openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING);
});
afterEach(async () => {
  journal.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const choice: Omit<ForkChoice, 'id'> = {
  chosenAt: '2026-03-01T10:00:00.000Z',
  query: 'add a retry',
  rank: 2,
  sessionId: 'origin',
  agent: 'claude',
  way: 'native',
  printed: false,
  turn: null,
  resultSessionId: null,
  copiedBytes: null,
};
const now = Date.parse('2026-03-02T10:00:00.000Z');

async function indexed(id: string, parent: string, ended_at: string): Promise<void> {
  const record = { parent: { session_id: parent }, ended_at };
  await store.write([changeOf({ id, chunks: ['text'], record })]);
}

describe('the fork journal', () => {
  it('records a choice in a file private to the user', () => {
    const id = journal.record(choice);
    expect(journal.list(10)).toEqual([{ id, ...choice }]);
    expect(statSync(join(folder, 'state.db')).mode & 0o777).toBe(0o600);
    journal.withdraw(id);
    expect(journal.list(10)).toEqual([]);
  });

  it('forgets the query that found a session, even when its copy is forgotten under another id', () => {
    journal.record({ ...choice, sessionId: 'origin@atlas' });
    journal.record({ ...choice, sessionId: 'other' });
    const state = openSqliteIndexState(join(folder, 'state.db'));
    state.forgetSessions(['origin'], ['origin@atlas']);
    state.close();
    expect(journal.list(10).map(({ sessionId, query }) => [sessionId, query])).toEqual([
      ['other', 'add a retry'],
      ['origin@atlas', null],
    ]);
  });

  it('finds the session that a choice led to once it is indexed', async () => {
    journal.record(choice);
    await indexed('before', 'origin', '2026-03-01T09:00:00.000Z');
    await indexed('other', 'another', '2026-03-01T11:00:00.000Z');
    expect(await resolveForks({ store, journal }, now)).toBe(0);
    await indexed('result', 'origin', '2026-03-01T11:00:00.000Z');
    expect(await resolveForks({ store, journal }, now)).toBe(1);
    expect(journal.list(1)[0]?.resultSessionId).toBe('result');
    expect(journal.waiting('2026-01-01')).toEqual([]);
  });

  it('assigns a different session to each of two choices, and waits at most two weeks', async () => {
    journal.record(choice);
    journal.record({ ...choice, chosenAt: '2026-03-01T10:30:00.000Z' });
    await indexed('result', 'origin', '2026-03-01T11:00:00.000Z');
    expect(await resolveForks({ store, journal }, now)).toBe(1);
    await indexed('second', 'origin', '2026-03-01T12:00:00.000Z');
    expect(await resolveForks({ store, journal }, now + 30 * 86_400_000)).toBe(0);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { shortIds } from '../../../src/compose/sessions/short-ids.ts';
import type { LocalStore } from '../../../src/ports/outbox.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

let folder: string;
let store: LocalStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-ids-'));
  store = openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const ALONE = '3b2a1f00-1111-4111-8111-111111111111';
const FIRST = '8402b1ed-2222-4222-8222-222222222222';
const SECOND = '8402b1ed-2292-4222-8222-222222222222';
const COPY = `${ALONE}@laptop`;

async function shown(indexed: string[], ids: string[]): Promise<string[]> {
  await store.write(indexed.map((id) => changeOf({ id })));
  const localFile = { path: '', exists: () => true } as never;
  const shortId = await shortIds({ local: async () => store, localFile }, ids);
  return ids.map(shortId);
}

describe('ids in lists', () => {
  it('shortens ids to eight characters, and as many more as distinguish a session from all others in the index', async () => {
    expect(await shown([ALONE, FIRST, SECOND], [FIRST, ALONE])).toEqual(['8402b1ed-222', '3b2a1f00']);
  });

  it('distinguishes listed sessions that only a server has', async () => {
    expect(await shown([], [FIRST, SECOND])).toEqual(['8402b1ed-222', '8402b1ed-229']);
  });

  it('includes the machine in the short id of a diverged copy', async () => {
    expect(await shown([ALONE, COPY], [ALONE, COPY])).toEqual([ALONE, `${ALONE}@`]);
  });

  it('includes the whole time in short ids of UUIDs that begin with it', async () => {
    const id = '019a8f3c-7d21-7000-8000-000000000001';
    expect(await shown([id], [id])).toEqual(['019a8f3c-7d21']);
  });
});

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportedSession } from '../../../src/adapters/opencode/exported-session.ts';
import { lastModel } from '../../../src/adapters/opencode/last-model.ts';
import { runOpencode, withServer } from '../../../src/adapters/opencode/run-program.ts';
import { createOpencodeThreads } from '../../../src/adapters/opencode/threads.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { opencodeMessages, writeOpencode } from '../../support/transcripts/opencode-database.ts';

const ID = 'ses_origin';

function world(change: string) {
  const home = tempFolder('opencode');
  const path = join(home, 'opencode/opencode.db');
  const created = Date.UTC(2026, 6, 1, 9);
  writeOpencode(path, [{ id: ID, title: 'A thing', created, messages: opencodeMessages('a') }]);
  const database = openDatabase(path);
  database.exec(change);
  database.close();
  return { home, path };
}

function program(script: string): string {
  const path = join(tempFolder('program'), 'opencode');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

it('gives a message with a damaged time the time of the one before', () => {
  const messages = ['2026-07-01T09:00:00.000Z', 'no time', ''].map((timestamp) => ({
    role: 'user' as const,
    text: 'Paint',
    timestamp,
  }));
  const model = { providerID: 'p', modelID: 'm' };
  for (const some of [messages, messages.slice(1)]) {
    const session = exportedSession({ title: 'x', messages: some }, '/work', model);
    const times = session.messages.map(({ info }) => info.time.created);
    expect(new Set(times).size).toBe(1);
    expect(times[0]).toBeGreaterThanOrEqual(Date.UTC(2026, 6, 1, 9));
  }
});

it('finds the model that was used last beside rows that are damaged', () => {
  const user = JSON.stringify({ role: 'user', model: { providerID: 'p', modelID: 'm' } });
  const { path } = world(`INSERT INTO message VALUES ('z1', '${ID}', 9e15, 9e15, '${user}');
    INSERT INTO message VALUES ('z2', '${ID}', 9e15, 9e15, '{"role": "us');`);
  expect(lastModel(path)).toEqual({ providerID: 'p', modelID: 'm' });
});

it('refuses to fork at a turn whose next message has no readable id', async () => {
  const { home, path } = world(`UPDATE message SET id = ' ' || id`);
  const threads = createOpencodeThreads({ program: program('exit 0'), env: {} }, [home], async (work) =>
    work(),
  );
  const transcript = {
    agent: 'opencode' as const,
    path: `${path}#${ID}`,
    sessionId: ID,
    size: 1,
    mtimeMs: 0,
    inode: 0,
  };
  const request = { transcript, workingDirectory: home, prompts: ['Please add a thing'], turn: 1, end: 2 };
  await expect(threads.forkAt(request)).rejects.toThrow('the message after the turn has no readable id');
});

it.skipIf(process.platform === 'win32')('says why OpenCode failed or could not be started', async () => {
  const failing = { program: program('echo "bad file" >&2; exit 1'), env: {} };
  await expect(runOpencode(failing, ['import', 'x'])).rejects.toThrow('import said: bad file');
  const missing = { program: '/no/such/opencode', env: {} };
  await expect(runOpencode(missing, ['import', 'x'])).rejects.toThrow('cannot make this session: spawn');
  const stopped = { program: program('sleep 30 & kill -TERM $$'), env: { PATH: process.env.PATH } };
  await expect(runOpencode(stopped, ['import', 'x'])).rejects.toThrow('import was stopped by SIGTERM');
  await expect(withServer(missing, '/', async () => 1)).rejects.toThrow('cannot make this session: spawn');
});

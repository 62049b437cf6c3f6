import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createOpencodeSource } from '../../../src/adapters/opencode/source.ts';
import { createOpencodeThreads } from '../../../src/adapters/opencode/threads.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { archiveTranscripts } from '../../../src/app/archive/archive-transcripts.ts';
import { borrowTranscript } from '../../../src/app/archive/borrow-transcript.ts';
import { restoreSession } from '../../../src/app/archive/restore-session.ts';
import { composeThreads } from '../../../src/compose/agents/threads.ts';
import { openMachineLease } from '../../../src/compose/local/open-machine-lease.ts';
import { archiveDependencies } from '../../../src/compose/parts.ts';
import type { AgentThreads } from '../../../src/ports/transcript-source.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  opencodeMessages,
  opencodeTurn,
  writeOpencode,
} from '../../support/transcripts/opencode-database.ts';

const ORIGIN = 'ses_origin';
const created = Date.UTC(2026, 6, 1, 9);
const origin = { id: ORIGIN, title: 'A thing', created, messages: opencodeMessages('a') };
const sub = { ...origin, id: 'ses_sub', title: 'Look it up', parent: ORIGIN, messages: opencodeTurn('s') };

/** A machine whose OpenCode keeps what it was given to import, and refuses what says `refuse`. */
async function place() {
  const world = createWorld();
  const data = join(world.folder, 'data');
  const database = join(data, 'opencode/opencode.db');
  writeOpencode(database, [origin, sub]);
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'opencode');
  const log = join(world.folder, 'calls');
  writeFileSync(
    program,
    `#!/bin/sh
echo "$XDG_DATA_HOME $PWD $1$([ "$1" = session ] && echo " $2 $3")" >> ${log}
[ "$1" = import ] || exit 0
[ -e ${log}.locked ] && { echo "database is locked"; exit 1; }
[ -e ${log}.slow ] && sleep 1
cat "$2" >> ${log}.imported; echo >> ${log}.imported
grep -q refuse "$2" && { echo "no such shape" >&2; exit 1; }
sed 's/.*"id":"\\(ses_[a-z]*\\)".*/Imported session: \\1/' "$2"
`,
  );
  chmodSync(program, 0o755);
  const parts = await openWorld(world, { XDG_DATA_HOME: data });
  await indexWorld(parts);
  await archiveTranscripts(await archiveDependencies(parts), {});
  const threads = {
    opencode: createOpencodeThreads({ program, env: process.env }, [data], async (work) => work()),
  };
  const restoreWith = (opencode: AgentThreads, dryRun = false) =>
    restoreSession(
      { ...parts, threads: { opencode } },
      {
        session: { session_id: ORIGIN, agent: 'opencode', jsonl_path: `${database}#${ORIGIN}` },
        directory: bin,
        dryRun,
      },
    );
  const restore = ({ dryRun = false } = {}) => restoreWith(threads.opencode, dryRun);
  const calls = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { folder: world.folder, parts, data, database, bin, threads, restore, restoreWith, calls, log };
}

const importsIn = (calls: string[]) => calls.filter((call) => call.endsWith(' import')).length;

function change(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}

const DELETE = 'DELETE FROM session; DELETE FROM message; DELETE FROM part;';

it.skipIf(process.platform === 'win32')(
  'gives a deleted session back to OpenCode, which imports it',
  async () => {
    const { data, database, bin, restore, calls, log } = await place();
    expect(await restore()).toMatchObject({ state: 'unchanged' });
    change(database, DELETE);
    expect(await restore()).toMatchObject({
      state: 'restored',
      path: `${database}#${ORIGIN}`,
      resume_command: `cd ${bin} && opencode -s ${ORIGIN}`,
      subagents: ['ses_sub'],
    });
    expect(calls()).toEqual([`${data} ${bin} import`, `${data} ${bin} import`]);
    const [first, second] = readFileSync(`${log}.imported`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first.info).toMatchObject({
      id: ORIGIN,
      title: 'A thing',
      time: { created, updated: expect.any(Number) },
    });
    expect(first.info.time.updated).toBe(origin.messages.at(-1)?.at);
    expect(first.messages).toEqual(
      origin.messages.map(({ id, at, data: own, parts }) => ({
        info: { ...own, id, sessionID: ORIGIN, time: { created: at } },
        parts: parts.map((part, index) => ({
          ...part,
          id: `${id}-p${index}`,
          messageID: id,
          sessionID: ORIGIN,
        })),
      })),
    );
    expect(second.info).toMatchObject({ id: 'ses_sub', parentID: ORIGIN });
  },
);

it.skipIf(process.platform === 'win32')(
  'says why an import failed, and deletes nothing, not even what it wrote',
  async () => {
    const { parts, database, restore, calls, log } = await place();
    change(database, `UPDATE session SET title = 'refuse', time_updated = 1 WHERE id = '${ORIGIN}'`);
    await indexWorld(parts);
    await archiveTranscripts(await archiveDependencies(parts), {});
    change(database, DELETE);
    await expect(restore()).rejects.toMatchObject({
      code: 'USAGE',
      message: `cannot restore ${ORIGIN}: opencode cannot make this session: import said: no such shape`,
      hint: expect.stringContaining(`does not delete: see opencode -s ${ORIGIN}`),
    });
    expect(importsIn(calls())).toBe(1);
    writeFileSync(`${log}.locked`, '');
    await expect(restore()).rejects.toMatchObject({
      message: expect.stringContaining('import said: database is locked'),
      hint: expect.stringContaining("Another program has OpenCode's database locked"),
    });
    expect(importsIn(calls())).toBe(2);
    expect(calls().join()).not.toContain(' session');
  },
);

it.skipIf(process.platform === 'win32')(
  'restores nothing into a database that it cannot read, and leaves the session there as it is',
  async () => {
    const { database, restore, calls } = await place();
    writeOpencode(database, [{ ...origin, messages: [...origin.messages, ...opencodeTurn('new')] }]);
    // The driver closes connections late: a new file has none.
    change(database, `VACUUM INTO '${database}.new'`);
    for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
    renameSync(`${database}.new`, database);
    const other = openDatabase(database);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE session SET revert = NULL; COMMIT');
    for (const dryRun of [true, false])
      await expect(restore({ dryRun })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: `cannot tell whether OpenCode has session ${ORIGIN}: ${database}: database is locked`,
        hint: expect.stringContaining("Another program has OpenCode's database locked"),
      });
    other.close();
    expect(await restore()).toMatchObject({ state: 'longer' });
    expect(calls()).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')(
  'refuses a session that another program has just written',
  async () => {
    const { database, bin, threads, calls, folder } = await place();
    const source = createOpencodeSource({ homes: [join(database, '../..')] });
    const copy = join(folder, source.bytes?.copyName(ORIGIN) ?? '');
    writeFileSync(copy, Buffer.concat([...(source.bytes?.parts(`${database}#${ORIGIN}`, 0) ?? [])]));
    const { restores } = threads.opencode;
    await expect(restores?.restore(copy, `${database}#${ORIGIN}`, bin)).rejects.toThrow(
      'by now; it was not changed',
    );
    // A copy of another session would be written over that.
    await expect(restores?.restore(copy, `${database}#ses_gone`, bin)).rejects.toThrow('copy is damaged');
    expect(calls()).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')('knows a session that was restored into another folder', async () => {
  const { database, restore } = await place();
  change(database, `UPDATE session SET directory = '/work/a much longer name of a folder'`);
  expect(await restore()).toMatchObject({ state: 'unchanged' });
  // Its import writes the names in another order.
  change(
    database,
    `UPDATE message SET time_updated = time_updated + 1,
     data = json_set(json_remove(data, '$.role'), '$.role', json_extract(data, '$.role'))`,
  );
  expect(await restore()).toMatchObject({ state: 'unchanged' });
  change(
    database,
    `UPDATE message SET data = json_set(data, '$.role', 'other'), time_updated = time_updated + 1`,
  );
  await expect(restore()).rejects.toThrow('differs from the archived transcript');
});

it('says that OpenCode is missing', async () => {
  const { database, restoreWith, data } = await place();
  change(database, DELETE);
  const missing = createOpencodeThreads({ program: null, env: {} }, [data], async (work) => work());
  await expect(restoreWith(missing)).rejects.toMatchObject({
    code: 'AGENT_MISSING',
    message: 'opencode is not on PATH',
    hint: 'Install it: npm install -g opencode-ai',
  });
});

it.skipIf(process.platform === 'win32')(
  'deletes only the session that it made for another agent’s',
  async () => {
    const { threads, bin, calls, log } = await place();
    const messages = [{ role: 'user' as const, text: 'refuse', timestamp: '2026-07-01T09:00:00.000Z' }];
    const made = threads.opencode.create?.({
      conversation: { title: 'x', messages },
      originId: ORIGIN,
      sessionId: 'unused',
      workingDirectory: bin,
    });
    await expect(made).rejects.toThrow('import said: no such shape');
    const { id } = JSON.parse(readFileSync(`${log}.imported`, 'utf8')).info;
    expect(calls().at(-1)).toMatch(new RegExp(` session delete ${id}$`));
  },
);

it.skipIf(process.platform === 'win32')(
  'restores one session at a time, and looks again whether it is there',
  async () => {
    const { parts, database, restoreWith, bin, data, calls } = await place();
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, XDG_DATA_HOME: data };
    const { opencode } = composeThreads(parts.config, env);
    if (opencode === undefined) throw new Error('no threads');
    change(database, DELETE);
    const other = await openMachineLease(parts.config.home, 'restore');
    expect(other.acquire()).toBe(true);
    const settled = restoreWith(opencode).catch((error) => error);
    await sleep(500);
    expect(calls()).toEqual([]);
    writeOpencode(database, [{ ...origin, messages: [...origin.messages, ...opencodeTurn('new')] }]);
    other.release();
    other.close();
    expect(await settled).toMatchObject({ message: expect.stringContaining('by now; it was not changed') });
    expect(calls()).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')('renews what it holds during a long import', async () => {
  const { restore, database, log } = await place();
  change(database, DELETE);
  writeFileSync(`${log}.slow`, '');
  let renewed = 0;
  const timer = setInterval(() => {
    renewed += 1;
  }, 20);
  expect(await restore()).toMatchObject({ state: 'restored' });
  clearInterval(timer);
  expect(renewed).toBeGreaterThan(10);
});

it('reads a deleted session and its subagents from the archive', async () => {
  const { parts, data, database } = await place();
  change(database, DELETE);
  const source = createOpencodeSource({ homes: [data] });
  const read = (path: string) => {
    const said: string[] = [];
    source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
      if (event.kind === 'message' && event.role !== 'tool') said.push(event.text);
    });
    return said;
  };
  const session = { session_id: ORIGIN, agent: 'opencode' as const };
  const texts = await borrowTranscript(parts, source, session, async ({ path, subagents = [] }) =>
    [path, ...subagents.map((one) => one.path)].map(read),
  );
  expect(texts).toEqual([
    ['Please add a thing', 'I will add it.', 'Naïve — 日本語 🙂', 'Done.'],
    ['Another way', 'Going another way.'],
  ]);
});

it('archives only sessions that changed, and reads on after a new turn', async () => {
  const { parts, database } = await place();
  const archive = async () => (await archiveTranscripts(await archiveDependencies(parts), {})).kept;
  expect(await archive()).toBe(0);
  const { digest } = createOpencodeSource({ homes: [join(database, '../..')] });
  const path = `${database}#${ORIGIN}`;
  const before = digest(path, 4, []);
  writeOpencode(database, [{ ...origin, messages: [...origin.messages, ...opencodeTurn('a')] }]);
  expect(digest(path, 4, [])).toEqual(before);
  expect(await archive()).toBe(1);
  change(
    database,
    `UPDATE part SET data = replace(data, 'add a thing', 'add a king') WHERE message_id = 'a1';
     UPDATE message SET time_updated = time_updated + 1`,
  );
  expect(digest(path, 4, [])).not.toEqual(before);
});

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOpencodeSource } from '../../../src/adapters/opencode/source.ts';
import { createOpencodeThreads } from '../../../src/adapters/opencode/threads.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { archiveTranscripts } from '../../../src/app/archive/archive-transcripts.ts';
import { borrowTranscript } from '../../../src/app/archive/borrow-transcript.ts';
import { restoreSession } from '../../../src/app/archive/restore-session.ts';
import { archiveDependencies } from '../../../src/compose/parts.ts';
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
echo "$XDG_DATA_HOME $PWD $1" >> ${log}
[ "$1" = import ] || exit 0
cat "$2" >> ${log}.imported; echo >> ${log}.imported
grep -q refuse "$2" && { echo "no such shape" >&2; exit 1; }
sed 's/.*"id":"\\(ses_[a-z]*\\)".*/Imported session: \\1/' "$2"
`,
  );
  chmodSync(program, 0o755);
  const parts = await openWorld(world, { XDG_DATA_HOME: data });
  await indexWorld(parts);
  await archiveTranscripts(await archiveDependencies(parts), {});
  const threads = { opencode: createOpencodeThreads({ program, env: process.env }, [data]) };
  const restore = () =>
    restoreSession(
      { ...parts, threads },
      {
        session: { session_id: ORIGIN, agent: 'opencode', jsonl_path: `${database}#${ORIGIN}` },
        directory: bin,
      },
    );
  return { parts, data, database, bin, restore, calls: () => readFileSync(log, 'utf8').split('\n'), log };
}

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
    expect(calls()).toEqual([`${data} ${bin} import`, `${data} ${bin} import`, '']);
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
  'deletes what a failed import left behind, and says why it failed',
  async () => {
    const { parts, database, restore, calls } = await place();
    change(database, `UPDATE session SET title = 'refuse', time_updated = 1 WHERE id = '${ORIGIN}'`);
    await indexWorld(parts);
    await archiveTranscripts(await archiveDependencies(parts), {});
    change(database, DELETE);
    await expect(restore()).rejects.toThrow('import said: no such shape');
    expect(calls().slice(-2)[0]).toContain(' session');
  },
);

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

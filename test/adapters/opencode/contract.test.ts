import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSession } from '../../../src/adapters/opencode/load-session.ts';
import { createOpencodeSource } from '../../../src/adapters/opencode/source.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  opencodeMessages,
  opencodeTurn,
  writeOpencode,
} from '../../support/transcripts/opencode-database.ts';

const ORIGIN = 'ses_origin';
const FORK = 'ses_fork';
const began = (minute: number) => Date.UTC(2026, 6, 1, 9, minute);
const origin = { id: ORIGIN, title: 'A thing', created: began(0), messages: opencodeMessages('a') };

describeTranscriptSource(
  'OpenCode',
  (home) => {
    const path = join(home, 'opencode/opencode.db');
    const copied = [...opencodeMessages('b'), ...opencodeTurn('b')];
    writeOpencode(path, [
      origin,
      { id: FORK, title: 'A thing (fork #1)', created: began(30), messages: copied },
    ]);
    const foreign = join(home, 'other.db');
    writeFileSync(foreign, 'not a database');
    return {
      source: createOpencodeSource({ homes: [home] }),
      path: `${path}#${ORIGIN}`,
      sessionId: ORIGIN,
      userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
      assistantTexts: ['I will add it.', 'Done.'],
      fork: { path: `${path}#${FORK}`, userTexts: ['Another way'], assistantTexts: ['Going another way.'] },
      foreign,
    };
  },
  { inLines: false },
);

function world(sessions: Parameters<typeof writeOpencode>[1]) {
  const home = tempFolder('opencode');
  const path = join(home, 'opencode/opencode.db');
  writeOpencode(path, sessions);
  return { path, source: createOpencodeSource({ homes: [home] }) };
}

function promptsOf({ source, path }: ReturnType<typeof world>, id: string): string[] {
  const events: TranscriptEvent[] = [];
  source.read(`${path}#${id}`, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => events.push(event));
  return events.flatMap((event) => (event.kind === 'message' && event.role === 'user' ? event.text : []));
}

it('leaves out what was reverted', () => {
  expect(promptsOf(world([{ ...origin, revert: 'a4' }]), ORIGIN)).toEqual(['Please add a thing']);
});

it('counts a subagent’s session to the session that started it', () => {
  const { source } = world([
    origin,
    { id: 'ses_sub', title: 'x', parent: ORIGIN, created: began(3), messages: opencodeTurn('s') },
  ]);
  const [file, ...others] = source.find();
  expect(others).toEqual([]);
  expect(file?.subagents?.map(({ agentId }) => agentId)).toEqual(['ses_sub']);
  expect(file && source.usage?.files(file)).toHaveLength(2);
});

it('sees each change of a session, a deleted message too', () => {
  const { source, path } = world([origin]);
  const before = source.find()[0]?.revision;
  writeOpencode(path, [{ ...origin, messages: [...origin.messages, ...opencodeTurn('a')] }]);
  const after = source.find()[0]?.revision;
  expect(after).not.toBe(before);
});

it('sees a part that changed while its message did not, by the count that OpenCode keeps', () => {
  const { source, path } = world([origin, { ...origin, id: 'ses_other', messages: opencodeMessages('o') }]);
  const revisions = () => source.find().map(({ revision }) => revision);
  const [imported = ''] = revisions();
  change(
    path,
    `CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL);
     INSERT INTO event_sequence VALUES ('${ORIGIN}', 7)`,
  );
  const [before, other] = revisions();
  expect(before).not.toBe(imported);
  change(
    path,
    `UPDATE part SET data = '{"type":"text","text":"Other words"}' WHERE id = 'a1-p0'; UPDATE event_sequence SET seq = 8`,
  );
  expect(revisions()).toEqual([expect.not.stringMatching(`^${before}$`), other]);
  expect(promptsOf({ source, path }, ORIGIN)[0]).toBe('Other words');
});

it('sees a part that was added or deleted without such a count', () => {
  const { source, path } = world([origin]);
  const revision = () => source.find()[0]?.revision;
  const before = revision();
  change(path, `DELETE FROM part WHERE id = 'a2-p3'`);
  const after = revision();
  expect(after).not.toBe(before);
  change(path, `INSERT INTO part VALUES ('a2-p9', 'a2', '${ORIGIN}', 1, 1, '{"type":"text","text":"More"}')`);
  expect(revision()).not.toBe(after);
});

it('reads a database while its writer holds it open, and reports a damaged one', () => {
  const { source, path } = world([origin]);
  expect(source.find()).toHaveLength(1);
  writeFileSync(
    path.replace('opencode.db', 'opencode-beta.db'),
    'not a database at all, but longer than a header'.repeat(100),
  );
  const problems: string[] = [];
  expect(source.find((problem) => problems.push(problem))).toHaveLength(1);
  expect(problems).toHaveLength(1);
});

it('finds sessions that are their own parents, or each other’s', () => {
  const session = (id: string, parent: string) => ({
    id,
    parent,
    title: id,
    created: began(1),
    messages: [],
  });
  const { source, path } = world([
    session('ses_a', 'ses_a'),
    session('ses_b', 'ses_c'),
    session('ses_c', 'ses_b'),
  ]);
  expect(source.find().map(({ sessionId }) => sessionId)).toEqual(['ses_a', 'ses_b', 'ses_c']);
  expect(source.inspect(`${path}#ses_c`)?.sessionId).toBe('ses_c');
});

it('counts what a subagent started to the session that started the subagent', () => {
  const child = (id: string, parent: string) => ({
    id,
    parent,
    title: id,
    created: began(3),
    messages: opencodeTurn(id),
  });
  const { source, path } = world([origin, child('ses_1', ORIGIN), child('ses_2', 'ses_1')]);
  const found = source.find();
  expect(found.map(({ sessionId }) => sessionId)).toEqual([ORIGIN]);
  expect(found[0]?.subagents?.map(({ agentId }) => agentId)).toEqual(['ses_1', 'ses_2']);
  expect(source.inspect(`${path}#${ORIGIN}`)).toEqual(found[0]);
});

it.each([
  'UPDATE session SET time_updated = 9223372036854775807',
  'UPDATE session SET time_created = -9223372036854775808',
  'UPDATE message SET time_updated = 9223372036854775807, time_created = 9223372036854775807',
])('reads the other sessions, and this one, after %s', (damage) => {
  const other = { ...origin, id: 'ses_other', messages: opencodeMessages('o') };
  const damaged = world([origin, other]);
  change(damaged.path, `${damage} WHERE ${damage.includes('message') ? 'session_id' : 'id'} = '${ORIGIN}'`);
  expect(damaged.source.find().map(({ sessionId }) => sessionId)).toEqual([ORIGIN, 'ses_other']);
  for (const id of [ORIGIN, 'ses_other']) expect(promptsOf(damaged, id)).toHaveLength(2);
});

it('counts parts that are not read, and reports sessions without an id', () => {
  const { source, path } = world([origin, { ...origin, id: 'ses_x', messages: [] }]);
  change(path, "UPDATE session SET id = 'a/../b' WHERE id = 'ses_x'");
  change(path, "UPDATE part SET data = '{' WHERE message_id = 'a1'");
  change(path, "UPDATE part SET message_id = 'gone' WHERE message_id = 'a4'");
  const problems: string[] = [];
  expect(source.find((_, problem) => problems.push(problem))).toHaveLength(1);
  expect(problems).toEqual(['sessions without a readable id: 1']);
  const { skipped } = source.read(
    `${path}#${ORIGIN}`,
    { from: 0, linesBefore: 0, inheritedBytes: 0 },
    () => undefined,
  );
  expect(skipped).toEqual([
    { line: 1, reason: 'not JSON' },
    { line: 4, reason: 'no such shape' },
  ]);
});

function change(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}

it('says of a session’s beginning what reading all of it says', () => {
  const { source, path } = world([origin, { ...origin, id: 'ses_torn', messages: opencodeMessages('t') }]);
  change(path, "UPDATE message SET data = '{' WHERE id = 't1'");
  for (const id of [ORIGIN, 'ses_torn']) {
    const { about } = loadSession(`${path}#${id}`);
    const head = source.head({ agent: 'opencode', path: `${path}#${id}`, sessionId: id, ...MARK });
    expect(head).toEqual({ fingerprint: about.fingerprint, workingDirectory: about.cwd });
    expect(head.fingerprint).toMatch(/^opencode \d+$/);
  }
});

const MARK = { size: 4, mtimeMs: 0, inode: 0 };

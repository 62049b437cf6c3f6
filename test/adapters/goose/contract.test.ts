import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGooseSource } from '../../../src/adapters/goose/source.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { writeGoose } from '../../support/transcripts/goose-database.ts';
import { gooseHead, gooseMessages, timeAt, writeRows } from '../../support/transcripts/small-agents.ts';

const ID = '20260701_4';
const EXPECTED = {
  sessionId: ID,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
};

function foreignIn(home: string): string {
  return writeRows(join(home, 'sessions/other.txt'), [{ role: 'user', content: 'hello' }]);
}

function databaseIn(home: string): string {
  return join(home, 'sessions/sessions.db');
}

describeTranscriptSource(
  'Goose',
  (home) => ({
    source: createGooseSource({ homes: [home] }),
    path: `${writeGoose(databaseIn(home), [{ id: ID, name: 'Widget work' }])}#${ID}`,
    ...EXPECTED,
    foreign: foreignIn(home),
  }),
  { inLines: false },
);

describeTranscriptSource(
  'Goose, files',
  (home) => ({
    source: createGooseSource({ homes: [home] }),
    path: writeRows(join(home, 'data/sessions', `${ID}.jsonl`), [gooseHead(), ...gooseMessages()]),
    ...EXPECTED,
    foreign: foreignIn(home),
  }),
  { inLines: false },
);

it('lists a session in the database and in a file once, by its name, and no subagents', () => {
  const home = tempFolder('goose');
  const other = writeRows(join(home, 'sessions/20250101_090000.jsonl'), [gooseHead(), ...gooseMessages()]);
  writeRows(join(home, `sessions/${ID}.jsonl`), [gooseHead(), ...gooseMessages()]);
  writeGoose(databaseIn(home), [
    { id: ID, name: 'Widget work' },
    { id: '20260701_5', type: 'sub_agent' },
  ]);
  const files = createGooseSource({ homes: [home] }).find();
  expect(files.map(({ path, name }) => [path, name])).toEqual([
    [`${databaseIn(home)}#${ID}`, 'Widget work'],
    [other, undefined],
  ]);
});

it('marks a session as changed when a message is added and when all are replaced', () => {
  const home = tempFolder('goose');
  const source = createGooseSource({ homes: [home] });
  const mark = () => source.find()[0]?.revision;
  const marks = [gooseMessages().slice(0, 3), gooseMessages(), gooseMessages()].map((messages) => {
    writeGoose(databaseIn(home), [{ id: ID, messages }]);
    return mark();
  });
  expect(new Set([...marks, mark()]).size).toBe(3);
});

it('names a session as Goose does, once it has a name', () => {
  const home = tempFolder('goose');
  writeGoose(databaseIn(home), [
    { id: ID, name: 'Widget work' },
    { id: '20260701_5', name: 'New Chat' },
  ]);
  const source = createGooseSource({ homes: [home] });
  const titles = ['20260701_4', '20260701_5'].map((id) => eventsOf(source, `${databaseIn(home)}#${id}`)[0]);
  expect(titles).toMatchObject([{ kind: 'title', source: 'ai', text: 'Widget work' }, { kind: 'context' }]);
});

it('reads while Goose writes', () => {
  const home = tempFolder('goose');
  writeGoose(databaseIn(home), [{ id: ID }]);
  const goose = openDatabase(databaseIn(home));
  goose.exec('BEGIN IMMEDIATE');
  goose.prepare(`UPDATE sessions SET name = 'Half written' WHERE id = ?`).run(ID);
  expect(createGooseSource({ homes: [home] }).find()).toHaveLength(1);
  goose.exec('COMMIT');
  goose.close();
});

it('reads a database without the columns of later versions', () => {
  const home = tempFolder('goose');
  writeGoose(databaseIn(home), [{ id: ID }]);
  const database = openDatabase(databaseIn(home));
  for (const [table, column] of [
    ['sessions', 'name'],
    ['sessions', 'session_type'],
    ['sessions', 'model_config_json'],
    ['messages', 'message_id'],
    ['messages', 'metadata_json'],
  ])
    database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  database.close();
  const source = createGooseSource({ homes: [home] });
  const [file] = source.find();
  expect(textsOf(source, file?.path ?? '')).toEqual([
    'Please add a thing',
    'I will add it.',
    'Naïve — 日本語 🙂',
    'Done.',
  ]);
});

function textsOf(source: ReturnType<typeof createGooseSource>, path: string): string[] {
  return eventsOf(source, path).flatMap((event) =>
    event.kind === 'message' && event.role !== 'tool' ? event.text : [],
  );
}

function eventsOf(source: ReturnType<typeof createGooseSource>, path: string): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => events.push(event));
  return events;
}

it('takes what only the model gets for the summary that replaces the conversation', () => {
  const home = tempFolder('goose');
  const summary = {
    id: 'msg_6',
    role: 'user',
    created: Date.parse(timeAt(6)) / 1000,
    content: [{ type: 'text', text: 'We added a thing.' }],
    metadata: { userVisible: false, agentVisible: true },
  };
  writeGoose(databaseIn(home), [{ id: ID, messages: [...gooseMessages(), summary] }]);
  const events = eventsOf(createGooseSource({ homes: [home] }), `${databaseIn(home)}#${ID}`);
  expect(events).toContainEqual({ kind: 'compaction', timestamp: timeAt(6), summary: 'We added a thing.' });
  expect(events.filter((event) => event.kind === 'message' && event.role === 'user')).toHaveLength(2);
});

it.each([
  ['{"role":"us', 'not JSON'],
  ['7', 'not an object'],
  ['{"role":"user"}', 'no such shape'],
])('counts a damaged line of a file: %s', (line, reason) => {
  const home = tempFolder('goose');
  const path = writeRows(join(home, `sessions/${ID}.jsonl`), []);
  const lines = [gooseHead(), ...gooseMessages()].map((row) => JSON.stringify(row));
  writeFileSync(path, `${lines.toSpliced(2, 0, line).join('\n')}\n`);
  const source = createGooseSource({ homes: [home] });
  const read = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, () => undefined);
  expect(read.skipped).toMatchObject([{ reason }]);
});

it('leaves nothing beside a database that no program has open, and reads one that a program writes', () => {
  const home = tempFolder('goose');
  const path = writeGoose(databaseIn(home), [{ id: ID }]);
  const closing = openDatabase(path);
  closing.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  closing.close();
  for (const end of ['wal', 'shm']) rmSync(`${path}-${end}`, { force: true });
  expect(createGooseSource({ homes: [home] }).find()).toHaveLength(1);
  expect(readdirSync(join(home, 'sessions'))).toEqual(['sessions.db']);
  const writer = openDatabase(path);
  writer.prepare("INSERT INTO sessions (id, working_dir) VALUES ('20260701_5', '/srv')").run();
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(createGooseSource({ homes: [home] }).find()).toHaveLength(2);
  writer.close();
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { FOLDER } from './small-agents.ts';

export interface OpencodeSession {
  id: string;
  title: string;
  parent?: string;
  created: number;
  revert?: string;
  messages: { id: string; at: number; data: object; parts: object[] }[];
}

/** Writes a database with the columns of OpenCode 1.18 that are read. */
export function writeOpencode(path: string, sessions: OpencodeSession[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = openDatabase(path);
  database.exec(`
    CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer);
    CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);
  `);
  const session = database.prepare('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const message = database.prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)');
  const part = database.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)');
  for (const { id, title, parent, created, revert, messages } of sessions) {
    const last = messages.at(-1)?.at ?? created;
    const reverted = revert === undefined ? null : JSON.stringify({ messageID: revert });
    session.run(id, parent ?? null, FOLDER, title, '1.18.33', reverted, created, last);
    for (const { id: messageId, at, data, parts } of messages) {
      message.run(messageId, id, at, at, JSON.stringify({ ...data, time: { created: at } }));
      for (const [index, each] of parts.entries())
        part.run(`${messageId}-p${index}`, messageId, id, at, at, JSON.stringify(each));
    }
  }
  database.close();
}

/** Writes the files of OpenCode 1.1, below its folder; returns a session's path. */
export function writeOpencodeFiles(folder: string, sessions: OpencodeSession[]): (id: string) => string {
  const storage = join(folder, 'storage');
  const write = (path: string, value: object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value, null, 2));
  };
  const pathOf = (id: string) => join(storage, 'session', 'global', `${id}.json`);
  for (const { id, title, parent: parentID, created, revert, messages } of sessions) {
    const time = { created, updated: messages.at(-1)?.at ?? created };
    const reverted = revert === undefined ? undefined : { messageID: revert };
    const own = { id, title, parentID, directory: FOLDER, version: '1.1.65', time, revert: reverted };
    write(pathOf(id), { ...own, slug: 'quick-fox', projectID: 'global' });
    for (const { id: messageID, at, data, parts } of messages) {
      const row = { id: messageID, sessionID: id, ...data, time: { created: at } };
      write(join(storage, 'message', id, `${messageID}.json`), row);
      for (const [index, part] of parts.entries()) {
        const partID = `${messageID}-p${index}`;
        write(join(storage, 'part', messageID, `${partID}.json`), { id: partID, messageID, ...part });
      }
    }
  }
  return pathOf;
}

/** Writes the files of OpenCode 0.5, below its folder; returns a session's path. */
export function writeOpencodeProject(folder: string, sessions: OpencodeSession[]): (id: string) => string {
  const storage = join(folder, 'project', 'home-dev-widgets', 'storage', 'session');
  const write = (path: string, value: object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value, null, 2));
  };
  const pathOf = (id: string) => join(storage, 'info', `${id}.json`);
  for (const { id, title, created, messages } of sessions) {
    const time = { created, updated: messages.at(-1)?.at ?? created };
    write(pathOf(id), { id, version: '0.5.29', title, time });
    for (const { id: messageID, at, data, parts } of messages) {
      const own = { id: messageID, sessionID: id, ...data, time: { created: at } };
      const path = 'modelID' in data ? { cwd: FOLDER, root: FOLDER } : undefined;
      write(join(storage, 'message', id, `${messageID}.json`), { ...own, path });
      for (const [index, part] of parts.entries()) {
        const partID = `${messageID}-p${index}`;
        write(join(storage, 'part', id, messageID, `${partID}.json`), { id: partID, messageID, ...part });
      }
    }
  }
  return pathOf;
}

const at = (minute: number) => Date.UTC(2026, 6, 1, 9, minute);

function user(prefix: string, minute: number, text: string) {
  return {
    id: `${prefix}${minute}`,
    at: at(minute),
    data: { role: 'user' },
    parts: [{ type: 'text', text }],
  };
}

function answer(prefix: string, minute: number, parts: object[], more: object = {}) {
  const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 100, write: 0 } };
  const data = { role: 'assistant', modelID: 'some-model', finish: 'stop', tokens, ...more };
  return { id: `${prefix}${minute}`, at: at(minute), data, parts };
}

function tool(callID: string, name: string, input: object, output: string) {
  return { type: 'tool', callID, tool: name, state: { status: 'completed', input, output } };
}

/** A session, and what a fork of it copies under other ids. */
export function opencodeMessages(prefix: string) {
  const commit = '[main abc1234] Add a thing\n 1 file changed, 1 insertion(+)\n';
  return [
    user(prefix, 1, 'Please add a thing'),
    answer(prefix, 2, [
      { type: 'step-start' },
      { type: 'text', text: 'I will add it.' },
      tool('c1', 'edit', { filePath: `${FOLDER}/src/a.ts`, oldString: 'a', newString: 'b' }, 'ok'),
      tool('c2', 'bash', { command: 'npm test' }, commit),
    ]),
    user(prefix, 4, 'Naïve — 日本語 🙂'),
    answer(prefix, 5, [{ type: 'text', text: 'Done.' }]),
  ];
}

export const opencodeTurn = (prefix: string) => [
  user(prefix, 31, 'Another way'),
  answer(prefix, 32, [{ type: 'text', text: 'Going another way.' }]),
];

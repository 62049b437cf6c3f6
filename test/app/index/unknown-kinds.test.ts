import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import type { Agent } from '../../../src/domain/agent/agents.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';
import { originalsOf } from '../../support/transcripts/originals.ts';

/** Kinds that no version writes, one without a word. */
const KINDS = ['voice-note', 'review_comment', 'whisper', 'sticky', 'user_reaction', 'handover'];
const timestamp = '2026-07-01T10:00:00.000Z';
const text = 'a spoken narwhal';

const LINES: Partial<Record<Agent, (kind: string, at: number) => object>> = {
  claude: (type, at) => ({
    type,
    uuid: `n${at}`,
    timestamp,
    ...pick(at, { text }, { message: { content: text } }),
  }),
  codex: (type, at) => ({
    timestamp,
    ...pick(at, { type, payload: { text } }, { type: 'event_msg', payload: { type, message: text } }),
  }),
  pi: (type, at) => ({
    id: `n${at}`,
    parentId: null,
    timestamp,
    ...pick(
      at,
      { type, text },
      { type: 'message', message: { role: type, content: [{ type: 'text', text }] } },
    ),
  }),
  qwen: (type, at) => ({
    uuid: `n${at}`,
    timestamp,
    ...pick(
      at,
      { type, message: { parts: [{ text }] } },
      { type: 'system', subtype: type, systemPayload: { displayText: text } },
    ),
  }),
  gemini: (type, at) => ({ id: `n${at}`, timestamp, type, content: pick(at, text, [{ text }]) }),
  copilot: (type, at) => ({
    id: `n${at}`,
    timestamp,
    type: pick(at, `user.${type}`, `${type}.noted`),
    data: pick(at, { content: text }, { answer: text }),
  }),
};

function pick<A, B>(at: number, even: A, odd: B): A | B {
  return at % 2 === 0 ? even : odd;
}

it.each(Object.keys(LINES) as Agent[])(
  'counts six unknown kinds of lines that hold text: %s',
  async (agent) => {
    const world = createWorld();
    const originals = originalsOf(agent);
    const path = originals.writeSound(world, originals.idOf('kinds'), 'thing') ?? '';
    const add = (one: object) => appendFileSync(path, `${JSON.stringify(one)}\n`);
    for (const [at, kind] of KINDS.entries()) add(LINES[agent]?.(kind, at) ?? {});
    add({ id: 'w', uuid: 'w', timestamp, type: 'no-words', data: {}, payload: { on: true } });
    const { indexed, unread } = await runJson(world, ['index', '--no-embed']);
    expect(indexed, readFileSync(path, 'utf8')).toBe(1);
    expect(unread).toMatchObject([{ reason: 'unknown kind', count: 6, file_count: 1, files: [path] }]);
    for (const command of ['doctor', 'stats'])
      expect((await runCli(world, [command])).stdout.replace(/\s+/g, ' ')).toContain(
        '6 lines of unknown kinds that hold text',
      );
  },
);

it('counts messages of OpenCode with parts of unknown kinds that hold text', async () => {
  const world = createWorld();
  const originals = originalsOf('opencode');
  const id = originals.idOf('kinds');
  originals.writeSound(world, id, 'thing');
  const database = openDatabase(`${world.folder}/.local/share/opencode/opencode.db`);
  const [message] = database.prepare('SELECT id FROM message WHERE session_id = ?').all(id);
  for (const kind of KINDS)
    database
      .prepare('INSERT INTO part (id, message_id, session_id, time_created, data) VALUES (?, ?, ?, 0, ?)')
      .run(`prt_${kind}`, String(message?.id), id, JSON.stringify({ type: kind, text }));
  database.close();
  const { unread } = await runJson(world, ['index', '--no-embed']);
  expect(unread).toMatchObject([{ reason: 'unknown kind', count: 1, file_count: 1 }]);
});

const PARTS = [{ type: 'voice-note', text }];

it.each<[Agent, object]>([
  ['cursor', { role: 'user', message: { content: PARTS } }],
  ['cline', { id: 'n', role: 'user', content: PARTS }],
  ['roo', { ts: 1, type: 'say', say: 'voice-note', text }],
  ['goose', PARTS],
])('counts a message of an unknown kind in a list of messages: %s', async (agent, message) => {
  const world = createWorld();
  const originals = originalsOf(agent);
  const path = originals.writeSound(world, originals.idOf('kinds'), 'thing');
  if (path === null) {
    const database = openDatabase(`${world.folder}/.local/share/goose/sessions/sessions.db`);
    database.prepare('UPDATE messages SET content_json = ? WHERE id = 3').run(JSON.stringify(message));
    database.close();
  } else if (agent === 'cursor') appendFileSync(path, `${JSON.stringify(message)}\n`);
  else {
    const document = JSON.parse(readFileSync(path, 'utf8'));
    (document.messages ?? document).push(message);
    writeFileSync(path, JSON.stringify(document));
  }
  const { unread } = await runJson(world, ['index', '--no-embed']);
  expect(unread).toMatchObject([{ reason: 'unknown kind', count: 1, file_count: 1 }]);
});

const MORE: Agent[] = ['opencode', 'cursor', 'vscode', 'cline', 'roo', 'goose'];

it('counts nothing in a sound session', async () => {
  for (const agent of [...(Object.keys(LINES) as Agent[]), ...MORE]) {
    const world = createWorld();
    const originals = originalsOf(agent);
    originals.writeSound(world, originals.idOf('sound'), 'thing');
    expect((await runJson(world, ['index', '--no-embed'])).unread, agent).toEqual([]);
  }
});

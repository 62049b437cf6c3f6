import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCopilotSource } from '../../../src/adapters/copilot/source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { copilotSession, FORK, ORIGIN, timeAt, writeRows } from '../../support/transcripts/small-agents.ts';

describeTranscriptSource('Copilot CLI', (home) => ({
  source: createCopilotSource({ homes: [home] }),
  path: writeRows(join(home, 'session-state', ORIGIN, 'events.jsonl'), copilotSession()),
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
  foreign: writeRows(join(home, 'other.jsonl'), [
    { type: 'user', sessionId: 'x', message: { content: 'hello' } },
  ]),
}));

it.each([
  ['name: the duck pond\nsummary: other\nuser_named: true', { source: 'custom', text: 'the duck pond' }],
  ['name: "ducks: \\"all\\""\nuser_named: false', { source: 'ai', text: 'ducks: "all"' }],
  ["summary: 'the ducks'' pond'\nname: null", { source: 'ai', text: "the ducks' pond" }],
  ['cwd: /home/dev', null],
])('is called as its workspace.yaml says: %s', (text, title) => {
  const home = tempFolder('copilot');
  const path = writeRows(join(home, 'session-state', ORIGIN, 'events.jsonl'), copilotSession());
  writeFileSync(join(home, 'session-state', ORIGIN, 'workspace.yaml'), `id: ${ORIGIN}\n${text}\n`);
  const source = createCopilotSource({ homes: [home] });
  expect(source.find()[0]?.name).toBe(title?.text);
  const titles: unknown[] = [];
  source.read(path, { from: 500, linesBefore: 1, inheritedBytes: 0 }, (event) => {
    if (event.kind === 'title') titles.push({ source: event.source, text: event.text });
  });
  expect(titles).toEqual(title === null ? [] : [title]);
});

it('copies a session up to a turn, with its tool calls, under an id and in a folder of its own', () => {
  const home = tempFolder('copilot');
  const source = createCopilotSource({ homes: [home] });
  const path = writeRows(join(home, 'session-state', ORIGIN, 'events.jsonl'), copilotSession());
  const lines = readFileSync(path, 'utf8').split('\n');
  const end = Buffer.byteLength(lines.slice(0, 6).join('\n')) + 1;
  const copy = source.cut?.(path, { end, sessionId: FORK, workingDirectory: '/elsewhere' }) ?? '';
  expect(copy).toBe(join(home, 'session-state', FORK, 'events.jsonl'));
  const [first = '', ...others] = readFileSync(copy, 'utf8').trim().split('\n');
  expect(JSON.parse(first).data).toMatchObject({ sessionId: FORK, context: { cwd: '/elsewhere' } });
  expect(others).toEqual(lines.slice(1, 6));
  expect(source.inspect(copy)?.sessionId).toBe(FORK);
});

it('counts tokens by request: what the cache had is a part of the input', () => {
  const usage = {
    model: 'gpt-4.1',
    inputTokens: 10,
    outputTokens: 2,
    cacheReadTokens: 4,
    maxPromptTokens: 64_000,
  };
  const record = { type: 'session.usage_record', data: { usage }, id: 'u1', timestamp: timeAt(8) };
  const home = tempFolder('copilot');
  const source = createCopilotSource({ homes: [home] });
  const path = writeRows(join(home, 'session-state', ORIGIN, 'events.jsonl'), [...copilotSession(), record]);
  const requests: object[] = [];
  source.usage?.read(path, null, (request) => requests.push(request));
  expect(requests).toEqual([
    {
      id: 'u1',
      at: Date.parse(timeAt(8)),
      model: 'gpt-4.1',
      copied: false,
      input: 6,
      output: 2,
      cacheRead: 4,
      cacheWrite: 0,
    },
  ]);
  expect(source.facts?.contextSize(path)).toEqual({ tokens: 12, window: 64_000 });
});

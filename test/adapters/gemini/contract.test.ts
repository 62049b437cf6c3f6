import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGeminiSource } from '../../../src/adapters/gemini/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  FORK,
  geminiHead,
  geminiSession,
  ORIGIN,
  timeAt,
  writeRows,
} from '../../support/transcripts/small-agents.ts';

function pathOf(home: string, id: string): string {
  return join(home, '.gemini/tmp/widgets/chats', `session-2026-07-01T09-00-${id}.jsonl`);
}

function writeFork(home: string, origin: string): string {
  const note = {
    id: 'import-1',
    type: 'info',
    content: `Imported session from ${origin}`,
    timestamp: timeAt(30),
  };
  return writeRows(pathOf(home, FORK), [
    geminiHead(FORK, { startTime: timeAt(30) }),
    note,
    ...geminiSession(),
    { $set: { sessionId: FORK } },
    { id: 'f1', timestamp: timeAt(31), type: 'user', content: [{ text: 'Another way' }] },
    { $set: { lastUpdated: timeAt(31) } },
    { id: 'f2', timestamp: timeAt(32), type: 'gemini', content: 'Going another way.' },
  ]);
}

const EXPECTED = {
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
};

describeTranscriptSource(
  'Gemini CLI, lines',
  (home) => {
    const path = writeRows(pathOf(home, ORIGIN), [geminiHead(ORIGIN), ...geminiSession()]);
    return {
      source: createGeminiSource({ homes: [home] }),
      path,
      ...EXPECTED,
      fork: {
        path: writeFork(home, path),
        userTexts: ['Another way'],
        assistantTexts: ['Going another way.'],
      },
      foreign: writeRows(join(home, 'other.jsonl'), [{ sessionId: 'x', message: { content: 'hello' } }]),
    };
  },
  { inLines: false },
);

describeTranscriptSource(
  'Gemini CLI, one JSON document',
  (home) => {
    const path = join(home, '.gemini/tmp/widgets/chats/session-old.json');
    writeRows(path, []);
    writeFileSync(path, JSON.stringify({ ...geminiHead(ORIGIN), messages: geminiSession() }, null, 2));
    return {
      source: createGeminiSource({ homes: [home] }),
      path,
      ...EXPECTED,
      foreign: writeRows(join(home, 'other.jsonl'), [{ sessionId: 'x', message: { content: 'hello' } }]),
    };
  },
  { inLines: false },
);

function messagesOf(rows: object[]): string[] {
  const home = tempFolder('gemini');
  const path = writeRows(pathOf(home, ORIGIN), [geminiHead(ORIGIN), ...rows]);
  const events: TranscriptEvent[] = [];
  createGeminiSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) =>
    events.push(event),
  );
  return events.flatMap((event) => (event.kind === 'message' && event.role !== 'tool' ? event.text : []));
}

it('reads a message as the last line with its id has it', () => {
  const again = { id: 'g5', timestamp: timeAt(5), type: 'gemini', content: 'Done, and tested.' };
  expect(messagesOf([...geminiSession(), again]).at(-1)).toBe('Done, and tested.');
});

it('marks what was rewound, and leaves it out of copies', () => {
  const home = tempFolder('gemini');
  const again = { id: 'g6', timestamp: timeAt(6), type: 'user', content: [{ text: 'Another thing' }] };
  const rows = [geminiHead(ORIGIN), ...geminiSession(), { $rewindTo: 'g4' }, again];
  const path = writeRows(pathOf(home, ORIGIN), rows);
  const source = createGeminiSource({ homes: [home] });
  const read = (file: string) => {
    const events: TranscriptEvent[] = [];
    source.read(file, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => events.push(event));
    return events;
  };
  expect(read(path).filter(({ kind }) => kind === 'rewound')).toEqual([
    { kind: 'rewound', messages: ['g4', 'g5'] },
  ]);
  const cut = (end: number) =>
    read(source.cut?.(path, { end, sessionId: FORK, workingDirectory: '/home/dev/widgets' }) ?? '').flatMap(
      (event) => (event.kind === 'message' && event.role === 'user' ? event.text : []),
    );
  expect(cut(6)).toEqual(['Please add a thing', 'Another thing']);
  expect(cut(5)).toEqual(['Please add a thing', 'Naïve — 日本語 🙂']);
});

it('does not mark a message that was written again after it was rewound', () => {
  const again = { id: 'g4', timestamp: timeAt(6), type: 'user', content: [{ text: 'Written again' }] };
  const home = tempFolder('gemini');
  const rows = [geminiHead(ORIGIN), ...geminiSession(), { $rewindTo: 'g4' }, again];
  const path = writeRows(pathOf(home, ORIGIN), rows);
  const events: TranscriptEvent[] = [];
  createGeminiSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) =>
    events.push(event),
  );
  expect(events.filter(({ kind }) => kind === 'rewound')).toEqual([{ kind: 'rewound', messages: ['g5'] }]);
});

it('takes the messages of a checkpoint instead of those before it', () => {
  const messages = [{ id: 'h1', timestamp: timeAt(8), type: 'user', content: 'After compression' }];
  expect(messagesOf([...geminiSession(), { $set: { messages } }])).toEqual(['After compression']);
});

it('shows a prompt as it was typed, without files, and no notice of its own', () => {
  const prompt = (id: string, text: string, more: object = {}) => {
    return { id, timestamp: timeAt(8), type: 'user', content: [{ text }], ...more };
  };
  const files = '\n--- Content from referenced files ---\nconst quoll = 1;\n--- End of content ---';
  const steering = (title: string) =>
    `${title}:\n<user_input>\nskip the tests\n</user_input>\nInternal instruction: x`;
  const rows = [
    prompt('p1', `explain @a.ts${files}`, { displayContent: [{ text: 'explain @a.ts, please' }] }),
    prompt('p2', `explain @a.ts${files}`),
    prompt('p3', steering('User steering update')),
    prompt('p4', steering('User hints')),
    prompt('p5', 'Background execution update:\n<background_output>\nx\n</background_output>\n\nGo on.'),
  ];
  expect(messagesOf(rows)).toEqual([
    ...['explain @a.ts, please', 'explain @a.ts', 'skip the tests', 'skip the tests'],
  ]);
});

it('keeps what a compaction forgets, and leaves it out of copies', () => {
  const text = '<state_snapshot>\n<overall_goal>things</overall_goal>\n</state_snapshot>';
  const messages = [
    { id: 's1', timestamp: timeAt(8), type: 'user', content: [{ text }] },
    { id: 's2', timestamp: timeAt(8), type: 'gemini', content: 'Got it. Thanks for the additional context!' },
  ];
  const after = { id: 'a1', timestamp: timeAt(9), type: 'user', content: [{ text: 'Go on' }] };
  const home = tempFolder('gemini');
  const rows = [geminiHead(ORIGIN), ...geminiSession(), ...messages, { $set: { messages } }, after];
  const path = writeRows(pathOf(home, ORIGIN), rows);
  const source = createGeminiSource({ homes: [home] });
  const read = (file: string) => {
    const events: TranscriptEvent[] = [];
    source.read(file, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => events.push(event));
    return events.flatMap((event) =>
      event.kind === 'compaction' || (event.kind === 'message' && event.role === 'user')
        ? [event.kind === 'message' ? event.text : event.kind]
        : [],
    );
  };
  const before = ['Please add a thing', 'Naïve — 日本語 🙂'];
  expect(read(path)).toEqual([...before, 'compaction', 'Go on']);
  const cut = (end: number) =>
    read(source.cut?.(path, { end, sessionId: FORK, workingDirectory: '/home/dev/widgets' }) ?? '');
  const count = source.endOf?.(path) ?? 0;
  expect(cut(count)).toEqual(['compaction', 'Go on']);
  expect(cut(count - 3)).toEqual(before);
});

it('counts a subagent’s chat to the session that started it', () => {
  const home = tempFolder('gemini');
  const path = writeRows(pathOf(home, ORIGIN), [geminiHead(ORIGIN), ...geminiSession()]);
  const agent = join(home, '.gemini/tmp/widgets/chats', ORIGIN, 'explorer-1.jsonl');
  writeRows(agent, [geminiHead('explorer-1', { kind: 'subagent' }), ...geminiSession()]);
  const source = createGeminiSource({ homes: [home] });
  const [file, ...others] = source.find();
  expect([file?.path, others]).toEqual([path, []]);
  expect(file?.subagents).toMatchObject([{ agentId: 'explorer-1', path: agent }]);
  expect(source.inspect(path)?.subagents).toEqual(file?.subagents);
  expect(source.bytes?.subagentPath?.(path, 'explorer-1')).toBe(agent);
  expect(file && source.usage?.files(file).map((one) => one.path)).toEqual([path, agent]);
});

it.each([
  ['a byte order mark', (text: string) => `\ufeff${text}`],
  ['NUL bytes before', (text: string) => `${'\0'.repeat(4096)}${text}`],
  ['NUL bytes behind', (text: string) => `${text}${'\0'.repeat(4096)}`],
])('reads a document with %s it', (_, damage) => {
  const home = tempFolder('gemini');
  const path = join(home, '.gemini/tmp/widgets/chats/session-old.json');
  writeRows(path, []);
  writeFileSync(path, damage(JSON.stringify({ ...geminiHead(ORIGIN), messages: geminiSession() }, null, 2)));
  const texts: string[] = [];
  const source = createGeminiSource({ homes: [home] });
  const { skipped } = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
    if (event.kind === 'message' && event.role === 'user') texts.push(event.text);
  });
  expect([texts[0], skipped]).toEqual(['Please add a thing', []]);
});

it('shows a session once, although resuming leaves a second file behind', () => {
  const home = tempFolder('gemini');
  const path = writeRows(pathOf(home, ORIGIN), [geminiHead(ORIGIN), ...geminiSession()]);
  writeRows(join(home, '.gemini/tmp/widgets/chats/session-later.jsonl'), [geminiHead(ORIGIN)]);
  expect(
    createGeminiSource({ homes: [home] })
      .find()
      .map((file) => file.path),
  ).toEqual([path]);
});

it('cuts a copy that names its origin', () => {
  const home = tempFolder('gemini');
  const path = writeRows(pathOf(home, ORIGIN), [geminiHead(ORIGIN), ...geminiSession()]);
  const source = createGeminiSource({ homes: [home] });
  const copy = source.cut?.(path, { end: 3, sessionId: FORK, workingDirectory: '/home/dev/widgets' }) ?? '';
  const file = source.inspect(copy);
  expect(file?.sessionId).toBe(FORK);
  expect(file && source.findInheritance(file, [])).toEqual({ parentId: ORIGIN, inheritedBytes: 3 });
});

it.each([
  [
    'a damaged line',
    (lines: string[]) => lines.with(2, '{"id": "g1", "type"'),
    [{ line: 3, reason: 'not JSON' }],
  ],
  [
    'a line that is no object',
    (lines: string[]) => lines.with(2, '7'),
    [{ line: 3, reason: 'not an object' }],
  ],
  [
    'a message without an id',
    (lines: string[]) => lines.with(2, '{"type":"user"}'),
    [{ line: 3, reason: 'no such shape' }],
  ],
  [
    'a damaged document',
    (lines: string[]) => [`${lines[0]?.slice(0, -1)},\n"messages": [`],
    [{ line: 1, reason: 'not JSON' }],
  ],
])('counts %s', (name, damage, skipped) => {
  const home = tempFolder('gemini');
  const path = pathOf(home, ORIGIN).replace(/jsonl$/, name === 'a damaged document' ? 'json' : 'jsonl');
  const lines = [geminiHead(ORIGIN), ...geminiSession()].map((row) => JSON.stringify(row));
  writeRows(path, []);
  writeFileSync(path, `${damage(lines).join('\n')}\n`);
  const source = createGeminiSource({ homes: [home] });
  const read = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, () => undefined);
  expect(read.skipped).toEqual(skipped);
});

it('reports a chat whose beginning is damaged, and the smaller file of a session', () => {
  const home = tempFolder('gemini');
  writeRows(pathOf(home, ORIGIN), [geminiHead(ORIGIN), ...geminiSession()]);
  writeRows(pathOf(home, 'copy'), [geminiHead(ORIGIN)]);
  writeFileSync(
    pathOf(home, 'damaged'),
    '{"sessionId":"\u0000\n{"id":"1","type":"user","content":"hello"}\n',
  );
  const problems: unknown[] = [];
  const found = createGeminiSource({ homes: [home] }).find((path, reason, kind) =>
    problems.push([path, reason, kind]),
  );
  expect(found).toHaveLength(1);
  expect(problems).toEqual([
    [pathOf(home, 'copy'), 'another copy is read', 'copy'],
    [pathOf(home, 'damaged'), 'its beginning names no session', undefined],
  ]);
});

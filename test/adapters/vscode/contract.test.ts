import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createVscodeSource } from '../../../src/adapters/vscode/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import type { ReadResult } from '../../../src/ports/transcript-source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  FOLDER,
  logOf,
  ORIGIN,
  timeAt,
  vscodeChat,
  writeRows,
} from '../../support/transcripts/small-agents.ts';

const EXPECTED = {
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
};

function pathOf(home: string, end = 'jsonl'): string {
  return join(home, 'workspaceStorage/0123/chatSessions', `${ORIGIN}.${end}`);
}

function foreignIn(home: string): string {
  return writeRows(join(home, 'chatSessions/other.jsonl'), [{ type: 'user', message: { content: 'hello' } }]);
}

describeTranscriptSource(
  'VS Code, logs',
  (home) => ({
    source: createVscodeSource({ homes: [home] }),
    path: writeRows(pathOf(home), logOf(vscodeChat())),
    ...EXPECTED,
    foreign: foreignIn(home),
  }),
  { inLines: false },
);

describeTranscriptSource(
  'VS Code, one JSON document',
  (home) => {
    const path = writeRows(pathOf(home, 'json'), []);
    writeFileSync(path, JSON.stringify(vscodeChat(), null, 2));
    return { source: createVscodeSource({ homes: [home] }), path, ...EXPECTED, foreign: foreignIn(home) };
  },
  { inLines: false },
);

function readRows(
  rows: object[],
  folder?: string,
  key = 'folder',
): { events: TranscriptEvent[]; result: ReadResult } {
  const home = tempFolder('vscode');
  const path = writeRows(pathOf(home), rows);
  if (folder !== undefined)
    writeRows(join(home, 'workspaceStorage/0123/workspace.json'), [{ [key]: folder }]);
  const events: TranscriptEvent[] = [];
  const result = createVscodeSource({ homes: [home] }).read(
    path,
    { from: 0, linesBefore: 0, inheritedBytes: 0 },
    (event) => events.push(event),
  );
  return { events, result };
}

function textsOf({ events }: { events: TranscriptEvent[] }, role: string): string[] {
  return events.flatMap((event) => (event.kind === 'message' && event.role === role ? event.text : []));
}

it.each([
  [`file://${FOLDER.replace('dev', 'a%20b')}`, '/home/a b/widgets'],
  ['file:///c%3A/work/widgets', 'c:\\work\\widgets'],
  ['vscode-remote://wsl%2Bubuntu/srv/widgets', '/srv/widgets'],
  ['untitled:x', FOLDER],
])('takes the folder from the workspace: %s', (folder, cwd) => {
  expect(readRows(logOf(vscodeChat()), folder).events).toContainEqual({ kind: 'context', cwd });
});

it('tells an edit once, and the file of one that no call makes', () => {
  const group = (path: string) => ({
    kind: 'textEditGroup',
    uri: { scheme: 'file', path: `${FOLDER}/${path}` },
    edits: [[{ text: 'new' }]],
  });
  const read = readRows([
    ...logOf(vscodeChat()),
    { kind: 2, k: ['requests', 1, 'response'], v: [group('src/b.ts')] },
  ]);
  expect(textsOf(read, 'tool')).toEqual(['Edit src/a.ts', 'Bash: npm test', 'Write src/b.ts']);
  const files = read.events.flatMap((event) => (event.kind === 'file' ? event.path : []));
  expect(files).toEqual(['src/a.ts', 'src/b.ts']);
});

it('leaves out a request that the user took back, and what replaced text', () => {
  const read = readRows([
    ...logOf(vscodeChat()),
    { kind: 1, k: ['requests', 1, 'shouldBeRemovedOnSend'], v: {} },
  ]);
  expect(textsOf(read, 'user')).toEqual(['Please add a thing']);
  expect(textsOf(read, 'assistant')).toEqual(['I will add it.']);
});

it('tells a call without arguments by what the chat shows', () => {
  const tool = (toolId: string, value: string) => ({
    kind: 'toolInvocationSerialized',
    toolId,
    pastTenseMessage: { value },
  });
  const v = [
    tool('copilot_readFile', `Read [](file://${FOLDER}/src/a.ts#1-1), lines 1 to 20`),
    tool('copilot_findTextInFiles', 'Searched text for `thing`'),
  ];
  const read = readRows([...logOf(vscodeChat()), { kind: 2, k: ['requests', 1, 'response'], v }]);
  expect(textsOf(read, 'tool').slice(2)).toEqual([
    'Read src/a.ts',
    'copilot_findTextInFiles: Searched text for `thing`',
  ]);
});

it.each([
  ['{"kind":2,"k":["requ', 'not JSON'],
  ['7', 'not an object'],
  ['{"kind":2,"k":["requests",9,"response"],"v":[1]}', 'no such shape'],
  ['{"kind":1,"k":["__proto__"],"v":{}}', 'no such shape'],
  ['{"kind":1,"k":["requests",4000000000],"v":{}}', 'no such shape'],
])('counts a change that cannot be made: %s', (line, reason) => {
  const home = tempFolder('vscode');
  const path = writeRows(pathOf(home), []);
  const lines = logOf(vscodeChat()).map((row) => JSON.stringify(row));
  writeFileSync(path, `${lines.toSpliced(1, 0, line).join('\n')}\n`);
  const texts: string[] = [];
  const read = createVscodeSource({ homes: [home] }).read(
    path,
    { from: 0, linesBefore: 0, inheritedBytes: 0 },
    (event) => event.kind === 'message' && event.role === 'user' && texts.push(event.text),
  );
  expect(read.skipped).toEqual([{ line: 2, reason }]);
  expect(texts).toEqual(EXPECTED.userTexts);
});

it('reads the log instead of the document that it replaced, and chats of windows without a folder', () => {
  const home = tempFolder('vscode');
  const path = writeRows(pathOf(home), logOf(vscodeChat()));
  const before = writeRows(pathOf(home, 'json'), [vscodeChat()]);
  const other = writeRows(
    join(home, 'globalStorage/emptyWindowChatSessions/other.jsonl'),
    logOf(vscodeChat()),
  );
  const problems: unknown[] = [];
  const files = createVscodeSource({ homes: [home] }).find((problem, _, kind) =>
    problems.push([problem, kind]),
  );
  expect(files.map((file) => file.path)).toEqual([path, other]);
  expect(problems).toEqual([[before, 'copy']]);
});

it('names the chat by its title, with the times of prompts and answers', () => {
  const { events } = readRows(logOf({ ...vscodeChat(), customTitle: 'Adding a thing' }));
  expect(events).toContainEqual({ kind: 'title', source: 'ai', text: 'Adding a thing' });
  const times = events.flatMap((event) =>
    event.kind === 'message' && event.role !== 'tool' ? event.timestamp : [],
  );
  expect(times).toEqual([timeAt(1), timeAt(2), timeAt(4), timeAt(5)]);
});

it.each([
  ['workspace', 'file:///srv/all/widgets.code-workspace', '/srv/all'],
  ['configuration', 'file:///c%3A/all/widgets.code-workspace', 'c:\\all'],
  // Kept by VS Code.
  ['workspace', 'file:///home/dev/.config/Code/Workspaces/17/workspace.json', FOLDER],
])('takes the folder from the file of a workspace with several: %s %s', (key, uri, cwd) => {
  expect(readRows(logOf(vscodeChat()), uri, key).events).toContainEqual({ kind: 'context', cwd });
});

it.each([{ isSystemInitiated: true }, { hiddenFromTranscript: true }, { confirmation: 'Continue' }])(
  'keeps only the answer of a request that the user did not write: %o',
  (more) => {
    const [first, second] = vscodeChat().requests;
    const read = readRows([{ ...vscodeChat(), requests: [first, { ...second, ...more }] }]);
    expect(textsOf(read, 'user')).toEqual(['Please add a thing']);
    expect(textsOf(read, 'assistant')).toEqual(['I will add it.', 'Done.']);
  },
);

it('tells what the user answered to questions and to a plan, and counts parts of unknown kinds', () => {
  const options = [
    { id: 'o1', label: 'The small one', value: 'small' },
    { id: 'o2', label: 'The big one', value: 'big' },
  ];
  const carousel = {
    kind: 'questionCarousel',
    questions: [
      { id: 'x:0', message: 'Which database?' },
      { id: 'x:1', options },
    ],
    data: {
      'x:0': { freeformValue: 'use postgres' },
      'x:1': { selectedValues: ['small', 'big'], freeformValue: 'and mine' },
      'x:2': 'plain',
      'x:3': { selectedValue: 'big' },
    },
  };
  const v = [
    { value: 'First.' },
    carousel,
    { ...carousel, autoReply: true },
    { kind: 'planReview', content: 'The plan', data: { rejected: true, feedback: 'make it shorter' } },
    { kind: 'voiceNote', content: 'a spoken narwhal' },
    { kind: 'undoStop', id: 'u' },
  ];
  const read = readRows([...logOf(vscodeChat()), { kind: 2, k: ['requests', 1, 'response'], v, i: 0 }]);
  expect(textsOf(read, 'user').slice(2)).toEqual([
    'use postgres\nThe small one, The big one, and mine\nplain\nThe big one',
    'make it shorter',
  ]);
  expect(textsOf(read, 'assistant').slice(1)).toEqual(['First.', 'Which database?']);
  expect(read.result.skipped).toMatchObject([{ reason: 'unknown kind' }]);
});

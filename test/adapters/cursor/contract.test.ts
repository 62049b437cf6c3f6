import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCursorSource } from '../../../src/adapters/cursor/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { cursorSession, FOLDER, ORIGIN, timeAt, writeRows } from '../../support/transcripts/small-agents.ts';

function pathOf(home: string, project = 'home-dev-widgets'): string {
  return join(home, 'projects', project, 'agent-transcripts', ORIGIN, `${ORIGIN}.jsonl`);
}

describeTranscriptSource(
  'Cursor',
  (home) => ({
    source: createCursorSource({ homes: [home] }),
    path: writeRows(pathOf(home), cursorSession()),
    sessionId: ORIGIN,
    userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
    assistantTexts: ['I will add it.', 'Done.'],
    foreign: writeRows(join(home, 'agent-transcripts/other.jsonl'), [
      { type: 'user', message: { role: 'user', content: 'hello' } },
    ]),
  }),
  { inLines: false },
);

function eventsOf(home: string, path = pathOf(home)): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  createCursorSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) =>
    events.push(event),
  );
  return events;
}

it('takes the title, the folder and the times from what the program for the terminal writes beside', () => {
  const home = tempFolder('cursor');
  writeRows(pathOf(home), cursorSession());
  const meta = {
    title: 'Widget work',
    cwd: '/srv/widgets',
    createdAtMs: 0,
    updatedAtMs: Date.parse(timeAt(9)),
  };
  writeRows(join(home, 'chats/0123/', ORIGIN, 'meta.json'), [meta]);
  const events = eventsOf(home);
  expect(events).toContainEqual({ kind: 'title', source: 'ai', text: 'Widget work' });
  expect(events).toContainEqual({ kind: 'context', cwd: '/srv/widgets' });
  const times = events.flatMap((event) => (event.kind === 'message' ? event.timestamp : []));
  expect([times[0], times.at(-1)]).toEqual([timeAt(1), timeAt(9)]);
});

it.each([
  ['the file that says that the folder is trusted', () => '/srv/widgets'],
  ['a path in a call, which contains a folder of the project’s name', () => null],
])('takes the folder from %s', (_, trusted) => {
  const home = tempFolder('cursor');
  const rows = cursorSession().map((row) =>
    JSON.parse(JSON.stringify(row).replace('"working_directory"', '"x"')),
  );
  writeRows(pathOf(home), rows);
  const workspacePath = trusted();
  if (workspacePath !== null)
    writeRows(join(home, 'projects/home-dev-widgets/.workspace-trusted'), [{ workspacePath }]);
  expect(eventsOf(home)).toContainEqual({ kind: 'context', cwd: workspacePath ?? FOLDER });
});

it('reads prompts without the elements that Cursor adds', () => {
  const home = tempFolder('cursor');
  const user = (text: string) => ({ role: 'user', message: { content: [{ type: 'text', text }] } });
  writeRows(pathOf(home), [
    user('<user_info>\nOS: linux\n</user_info>'),
    user('<timestamp>x</timestamp>\n<user_query>\nFix <b>it</b>\n</user_query>\n[Image]'),
    user('<timestamp>x</timestamp>\n\n<user_query>Briefly inform the user about the task.</user_query>'),
    user('<system-reminder>\nPlan.\n</system-reminder>'),
    user('<additional_data>\nx.ts\n</additional_data>'),
    user(
      '<attached_files>\n<user_query>no</user_query>\n</attached_files>\n<user_query>\nSee it\n</user_query>',
    ),
    user('<user_query>\r\nWhy </user_query> twice?\r\n</user_query>'),
    { role: 'user', message: { content: 'plain words' } },
  ]);
  const texts = eventsOf(home).flatMap((event) => (event.kind === 'message' ? event.text : []));
  expect(texts).toEqual(['Fix <b>it</b>', 'See it', 'Why </user_query> twice?', 'plain words']);
});

it('lists subagents with their session, and a session in two projects once', () => {
  const home = tempFolder('cursor');
  writeRows(pathOf(home), cursorSession());
  const mirror = writeRows(pathOf(home, 'empty-window'), cursorSession().slice(0, 2));
  const subagent = join(home, 'projects/home-dev-widgets/agent-transcripts', ORIGIN, 'subagents/child.jsonl');
  writeRows(subagent, cursorSession().slice(0, 2));
  const old = join(home, 'projects/home-dev-widgets/agent-transcripts/before.txt');
  mkdirSync(join(home, 'projects/home-dev-widgets/agent-transcripts'), { recursive: true });
  writeFileSync(old, 'user:\nhello\n');
  const problems: unknown[] = [];
  const files = createCursorSource({ homes: [home] }).find((path, _, kind) => problems.push([path, kind]));
  expect(files).toMatchObject([{ sessionId: ORIGIN, subagents: [{ agentId: 'child', path: subagent }] }]);
  expect(problems).toEqual(
    expect.arrayContaining([
      [mirror, 'copy'],
      [old, 'old format'],
    ]),
  );
});

it.each([
  ['{"role":"assist', [{ line: 2, reason: 'not JSON' }]],
  ['7', [{ line: 2, reason: 'not an object' }]],
  ['{"role":"user"}', [{ line: 2, reason: 'no such shape' }]],
])('counts a damaged line: %s', (line, skipped) => {
  const home = tempFolder('cursor');
  const lines = cursorSession().map((row) => JSON.stringify(row));
  writeRows(pathOf(home), []);
  writeFileSync(pathOf(home), `${lines.toSpliced(1, 0, line).join('\n')}\n`);
  const source = createCursorSource({ homes: [home] });
  const read = source.read(pathOf(home), { from: 0, linesBefore: 0, inheritedBytes: 0 }, () => undefined);
  expect(read.skipped).toEqual(skipped);
});

const prompt = { role: 'user', message: { content: 'Please add a thing' } };
const call = (input: unknown, name = 'Tool') => ({
  role: 'assistant',
  message: { content: [{ type: 'tool_use', name, input }] },
});

it('takes files and the folder from a patch that is no object', () => {
  const home = tempFolder('cursor');
  const patch = `*** Begin Patch\n*** Add File: ${FOLDER}/src/b.ts\n+b\n*** Update File: ${FOLDER}/src/c.ts\n@@\n-c\n+d\n*** End Patch`;
  writeRows(pathOf(home), [prompt, call(patch, 'ApplyPatch')]);
  const events = eventsOf(home);
  expect(events).toContainEqual({ kind: 'context', cwd: FOLDER });
  expect(events.flatMap((event) => (event.kind === 'file' ? event.path : []))).toEqual([
    'src/b.ts',
    'src/c.ts',
  ]);
});

it('takes no folder of another project, and one in which a command ran only of a window without a folder', () => {
  const home = tempFolder('cursor');
  const rows = [prompt, call({ command: 'ls', working_directory: '/srv/other' }, 'Shell')];
  writeRows(pathOf(home), rows);
  writeRows(pathOf(home, 'empty-window'), rows);
  expect(eventsOf(home)).toContainEqual({ kind: 'context' });
  expect(eventsOf(home, pathOf(home, 'empty-window'))).toContainEqual({ kind: 'context', cwd: '/srv/other' });
});

it('looks for the folder in time linear in the arguments', () => {
  const home = tempFolder('cursor');
  const input = { a: '/'.repeat(4096), b: `/${'/a'.repeat(2048)}`, c: `${FOLDER}/src\n` };
  writeRows(pathOf(home), [prompt, ...Array.from({ length: 300 }, () => call(input))]);
  const started = performance.now();
  expect(eventsOf(home)).toContainEqual({ kind: 'context' });
  expect(performance.now() - started).toBeLessThan(5000);
});

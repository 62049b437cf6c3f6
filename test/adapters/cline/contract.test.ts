import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createClineSource } from '../../../src/adapters/cline/source.ts';
import { createRooSource } from '../../../src/adapters/roo/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import type { RequestUsage } from '../../../src/domain/usage/usage.ts';
import type { TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  clineMessages,
  clineSession,
  FOLDER,
  FORK,
  ORIGIN,
  shownTask,
  timeAt,
} from '../../support/transcripts/small-agents.ts';

const EXPECTED = {
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
};

function writeJson(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value, null, 2));
  return path;
}

function sessionIn(home: string, id: string): string {
  return join(home, 'data/sessions', id, `${id}.messages.json`);
}

function taskIn(home: string, extension: string): string {
  return join(home, 'User/globalStorage', extension, 'tasks', ORIGIN, 'ui_messages.json');
}

const CLINE = 'saoudrizwan.claude-dev';
const ROO = 'rooveterinaryinc.roo-cline';

describeTranscriptSource(
  'Cline, sessions',
  (home) => {
    const fork = sessionIn(home, FORK);
    const more = [
      { id: 'n1', role: 'user', content: 'Another way', ts: Date.parse(timeAt(31)) },
      { id: 'n2', role: 'assistant', content: 'Going another way.', ts: Date.parse(timeAt(32)) },
    ];
    writeJson(fork, clineSession(FORK, [...clineMessages(), ...more]));
    const forked = { forkedFromSessionId: ORIGIN, forkedAt: timeAt(30) };
    writeJson(fork.replace('.messages', ''), { version: 1, cwd: FOLDER, metadata: { fork: forked } });
    return {
      source: createClineSource({ homes: [home] }),
      path: writeJson(sessionIn(home, ORIGIN), clineSession(ORIGIN)),
      ...EXPECTED,
      fork: { path: fork, userTexts: ['Another way'], assistantTexts: ['Going another way.'] },
      foreign: writeJson(join(home, 'other.messages.json'), { version: 1, messages: [] }),
    };
  },
  { inLines: false },
);

describeTranscriptSource(
  'Cline, tasks',
  (home) => ({
    source: createClineSource({ homes: [join(home, 'User')] }),
    path: writeJson(taskIn(home, CLINE), shownTask()),
    ...EXPECTED,
    foreign: writeJson(taskIn(home, ROO), shownTask()),
  }),
  { inLines: false },
);

describeTranscriptSource(
  'Roo Code',
  (home) => ({
    source: createRooSource({ homes: [join(home, 'User')] }),
    path: writeJson(taskIn(home, ROO), shownTask()),
    ...EXPECTED,
    foreign: writeJson(taskIn(home, CLINE), shownTask()),
  }),
  { inLines: false },
);

function eventsOf(source: TranscriptSource, path: string): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => events.push(event));
  return events;
}

it('takes title and folder of a session from what Cline writes beside it', () => {
  const home = tempFolder('cline');
  const path = writeJson(sessionIn(home, ORIGIN), clineSession(ORIGIN));
  const manifest = {
    version: 1,
    cwd: '/srv/widgets',
    prompt: 'Please add a thing',
    metadata: { title: 'Widget work' },
  };
  writeJson(path.replace('.messages', ''), manifest);
  writeJson(path.replace(`${ORIGIN}.messages`, 'helper.messages'), clineSession(ORIGIN));
  const source = createClineSource({ homes: [home] });
  const events = eventsOf(source, path);
  expect(events).toContainEqual({ kind: 'title', source: 'ai', text: 'Widget work' });
  expect(events).toContainEqual({ kind: 'context', cwd: '/srv/widgets', version: '3.0.65' });
  expect(source.find()).toMatchObject([{ sessionId: ORIGIN, subagents: [{ agentId: 'helper' }] }]);
});

it('takes the folder of a task from Roo Code’s description or Cline’s list', () => {
  const home = tempFolder('tasks');
  const roo = writeJson(taskIn(home, ROO), shownTask());
  writeJson(join(dirname(roo), 'history_item.json'), {
    id: ORIGIN,
    workspace: '/srv/roo',
    parentTaskId: FORK,
  });
  const cline = writeJson(taskIn(home, CLINE), shownTask());
  writeJson(join(dirname(cline), '../../state/taskHistory.json'), [
    { id: ORIGIN, cwdOnTaskInitialization: '/srv/cline' },
  ]);
  const homes = [join(home, 'User')];
  expect(eventsOf(createClineSource({ homes }), cline)).toContainEqual({
    kind: 'context',
    cwd: '/srv/cline',
  });
  const source = createRooSource({ homes });
  expect(eventsOf(source, roo)).toContainEqual({ kind: 'context', cwd: '/srv/roo' });
  const file = source.inspect(roo);
  expect(file && source.findInheritance(file, [])).toEqual({ parentId: FORK, inheritedBytes: 0 });
});

it('reads a command’s output in pieces as one result', () => {
  const home = tempFolder('tasks');
  const path = writeJson(taskIn(home, ROO), shownTask());
  const source = createRooSource({ homes: [join(home, 'User')] });
  const outputs: string[] = [];
  source.readSteps(path, { from: 0, to: 99 }, (step) => step.kind === 'result' && outputs.push(step.output));
  expect(outputs).toEqual([expect.stringMatching(/abc1234[\s\S]*3 passed/)]);
});

it.each([
  [
    'sessions',
    (home: string) => [createClineSource({ homes: [home] }), sessionIn(home, ORIGIN), clineSession(ORIGIN)],
  ],
  ['tasks', (home: string) => [createRooSource({ homes: [`${home}/User`] }), taskIn(home, ROO), shownTask()]],
] as const)('counts the tokens of %s', (_, make) => {
  const [source, path, content] = make(tempFolder('usage')) as [TranscriptSource, string, unknown];
  writeJson(path, content);
  const used: RequestUsage[] = [];
  source.usage?.read(path, null, (request) => used.push(request));
  expect(used).toMatchObject([{ model: 'some-model', input: 10, output: 5, cacheRead: 100, cacheWrite: 0 }]);
});

it.each([
  [[7], [{ line: 1, reason: 'not an object' }]],
  [[{ ts: 1 }], [{ line: 1, reason: 'no such shape' }]],
])('counts a message that cannot be read: %j', (damage, skipped) => {
  const home = tempFolder('tasks');
  const path = writeJson(taskIn(home, ROO), [...damage, ...shownTask()]);
  const source = createRooSource({ homes: [join(home, 'User')] });
  const read = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, () => undefined);
  expect(read.skipped).toEqual(skipped);
});

it('reads a task without the marks that Cline makes for its window, and a folder with brackets', () => {
  const home = tempFolder('tasks');
  const folder = '/srv/widgets (beta)';
  const request = { request: `<task>x</task>\n# Current Working Directory (${folder}) Files\nsrc/ (more)` };
  const say = (kind: string, text: string) => ({ ts: Date.parse(timeAt(3)), type: 'say', say: kind, text });
  const path = writeJson(taskIn(home, CLINE), [
    say('task', 'Ship it'),
    say('api_req_started', JSON.stringify(request)),
    { ...say('', 'npm run deployREQ_APP'), type: 'ask', ask: 'command' },
    say('completion_result', 'DoneHAS_CHANGES'),
    say('user_feedback', 'why HAS_CHANGES'),
  ]);
  const events = eventsOf(createClineSource({ homes: [join(home, 'User')] }), path);
  expect(events).toContainEqual({ kind: 'context', cwd: folder });
  expect(events.flatMap((event) => (event.kind === 'message' ? event.text : []))).toEqual([
    'Ship it',
    'Bash: npm run deploy',
    'Done',
    'why HAS_CHANGES',
  ]);
});

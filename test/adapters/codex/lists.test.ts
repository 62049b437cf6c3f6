import { expect, it } from 'vitest';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import type { TranscriptEvent } from '../../../src/ports/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  type CodexLine,
  codexMeta,
  codexText,
  item,
  legacy,
  paginated,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const KINDS = new Set(['asked', 'answered', 'plan', 'todos', 'result', 'process', 'pull request']);
const inherited = false;
const PLAN = {
  plan: [
    { step: 'Look', status: 'completed' },
    { step: 'Do', status: 'pending' },
  ],
};
const QUESTIONS = {
  questions: [{ id: 'store', header: 'Store', question: 'Which store?', options: [{ label: 'SQLite' }] }],
};
const ANSWERS = JSON.stringify({ answers: { store: { answers: ['SQLite'] } } });

it.each([
  ['legacy', undefined],
  ['numbered', 0],
] as const)('emits Codex steps, questions and answers from %s lines', (_, firstOrdinal) => {
  const lines = [
    ...legacy.call('update_plan', PLAN),
    ...legacy.call('request_user_input', QUESTIONS, ANSWERS),
  ];
  expect(told(lines, firstOrdinal)).toEqual([
    {
      kind: 'todos',
      whole: true,
      items: [
        { id: null, text: 'Look', status: 'done' },
        { id: null, text: 'Do', status: 'open' },
      ],
      inherited,
    },
    {
      kind: 'asked',
      call: 'call_1',
      questions: [{ key: 'store', question: 'Which store?', options: ['SQLite'] }],
      inherited,
    },
    { kind: 'answered', call: 'call_1', answers: [{ key: 'store', answer: 'SQLite' }], inherited },
  ]);
});

it.each([
  ['legacy', undefined],
  ['numbered', 0],
] as const)(
  'emits what the user typed into a dialog, in reply to its question, from %s lines',
  (_, ordinal) => {
    const questions = [...QUESTIONS.questions, { id: 'name', question: 'Which name?' }];
    const answers = {
      store: { answers: ['None of the above', 'user_note: a text file'] },
      name: { answers: ['platypus'] },
    };
    const asked = legacy.call('request_user_input', { questions }, JSON.stringify({ answers }));
    expect(replies(asked, ordinal)).toEqual([
      ['answer', '> Which store?\n\na text file'],
      ['answer', '> Which name?\n\nplatypus'],
    ]);
    const refused = legacy.call('exec_command', { cmd: 'rm x' }, 'exec command rejected by user: keep it');
    expect(replies(refused, ordinal)).toEqual([['reason', 'keep it']]);
  },
);

it('finds the questions of many dialogs, reading each part of the transcript once', () => {
  const dialogs = Array.from({ length: 1500 }, (_, at) => {
    const call = `dialog_${at}`;
    const questions = [{ id: 'q', question: `Which ${at}?` }];
    const [asked, answered] = legacy
      .call(
        'request_user_input',
        { questions },
        JSON.stringify({ answers: { q: { answers: [`free ${at}`] } } }),
      )
      .map((line) => JSON.parse(JSON.stringify(line).replaceAll('call_1', call)) as CodexLine);
    return [asked, answered, ...legacy.shell('cat x', 'z'.repeat(4000))].filter((line) => line !== undefined);
  }).flat();
  const started = performance.now();
  const found = replies(dialogs);
  const took = performance.now() - started;
  expect(found).toHaveLength(1500);
  expect(found.at(-1)).toEqual(['answer', '> Which 1499?\n\nfree 1499']);
  // Reading it for each of them takes seconds.
  expect(took).toBeLessThan(1500);
});

it('emits how a Codex command ended, whichever line reports it', () => {
  const failed =
    'Chunk ID: a1\nWall time: 1.5 seconds\nProcess exited with code 2\nOutput:\nTypeError: no thing\n';
  expect(told(legacy.call('exec_command', { cmd: 'npm test' }, failed))).toEqual([
    { kind: 'result', call: 'call_1', failed: true, error: 'TypeError: no thing', inherited },
  ]);
  expect(told(legacy.shell('npm test', 'Tests: 2 failed\n'))).toEqual([
    { kind: 'result', call: 'call_1', failed: false, error: 'Tests: 2 failed', inherited },
  ]);
  expect(told(legacy.shell('npm test', 'fine\n'))).toEqual([
    { kind: 'result', call: 'call_1', failed: false, error: null, inherited },
  ]);
  expect(told(paginated.shell('npm test', 'fine\n'), 0)).toEqual([
    { kind: 'result', call: 'c1', failed: false, error: null, inherited },
  ]);
});

it('emits the process of a Codex command that continues in the background, and of the call that waits for it', () => {
  const running = 'Chunk ID: a1\nWall time: 9 seconds\nProcess running with session ID 42\nOutput:\n';
  const lines = [
    ...legacy.call('exec_command', { cmd: 'npm test' }, running),
    item('function_call', {
      name: 'write_stdin',
      arguments: '{"session_id":42,"chars":""}',
      call_id: 'call_2',
    }),
  ];
  expect(told(lines)).toEqual([
    { kind: 'process', call: 'call_1', process: '42' },
    { kind: 'process', call: 'call_2', process: '42' },
  ]);
});

it('emits a Codex plan as a plan, and its answer as the end of the turn', () => {
  expect(
    told(paginated.item({ type: 'Plan', id: 'p1', text: '# Cache' }) as unknown as CodexLine[], 0),
  ).toEqual([{ kind: 'plan', call: null, text: '# Cache', inherited }]);
});

it('emits the pull request that Codex created with GitHub’s tool', () => {
  const output = `Wall time: 1.5 seconds\nOutput:\n${JSON.stringify({
    url: 'https://github.com/acme/widgets/pull/3',
    number: 3,
    title: 'Add "it"',
  })}`;
  expect(told(legacy.call('_create_pull_request', { title: 'x' }, output)).at(-1)).toEqual({
    kind: 'pull request',
    url: 'https://github.com/acme/widgets/pull/3',
    title: 'Add "it"',
    inherited,
  });
});

function told(lines: CodexLine[], firstOrdinal?: number): TranscriptEvent[] {
  return eventsOf(lines, firstOrdinal).filter(({ kind }) => KINDS.has(kind));
}

function replies(lines: CodexLine[], firstOrdinal?: number): unknown[] {
  return eventsOf(lines, firstOrdinal).flatMap((event) =>
    event.kind === 'message' && event.reply !== undefined ? [[event.reply, event.text]] : [],
  );
}

function eventsOf(lines: CodexLine[], firstOrdinal?: number): TranscriptEvent[] {
  const home = tempFolder('codex');
  const text = codexText([codexMeta(SESSION_ID), ...[lines].flat()], firstOrdinal);
  const path = writeCodex(home, SESSION_ID, text);
  const events: TranscriptEvent[] = [];
  createCodexSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
    events.push(event);
  });
  return events;
}

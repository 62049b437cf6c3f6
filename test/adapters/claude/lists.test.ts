import { describe, expect, it } from 'vitest';
import { type ClaudeLine, line, toolPair } from '../../support/transcripts/claude-transcripts.ts';
import { readLinesOf } from './read.ts';

const KINDS = new Set(['asked', 'answered', 'plan', 'todos', 'result', 'pull request']);
const told = (lines: ClaudeLine[]) => readLinesOf(lines).events.filter(({ kind }) => KINDS.has(kind));
const inherited = false;
const failure = (content: string, id: string): ClaudeLine =>
  line.user([{ type: 'tool_result', content, is_error: true, tool_use_id: id }]);

describe('lists and results in a Claude transcript', () => {
  it('emits the questions to the user, and the answers as recorded by the agent', () => {
    const question = 'Which store?';
    const input = {
      questions: [{ question, header: 'Store', options: [{ label: 'SQLite' }, { label: 'Files' }] }],
    };
    const answered = { toolUseResult: { questions: input.questions, answers: { [question]: 'SQLite' } } };
    const text = `User has answered your questions: "${question}"="SQLite". ${'You can now continue. '.repeat(300)}`;
    expect(
      told([line.call('AskUserQuestion', input, 'ask'), line.result(text, 'ask', answered)]),
    ).toMatchObject([
      { kind: 'asked', call: 'ask', questions: [{ key: question, question, options: ['SQLite', 'Files'] }] },
      { kind: 'result', failed: false },
      { kind: 'answered', call: 'ask', answers: [{ key: question, answer: 'SQLite' }] },
    ]);
  });

  it('emits a plan, and its rejection as a failed result', () => {
    const lines = [
      line.call('ExitPlanMode', { plan: '# Plan: Cache\n\nKeep it small.' }, 'plan'),
      failure("The user doesn't want to proceed with this tool use.", 'plan'),
    ];
    expect(told(lines)).toEqual([
      { kind: 'plan', call: 'plan', text: '# Plan: Cache\n\nKeep it small.', inherited },
      { kind: 'result', call: 'plan', failed: true, error: null, inherited },
    ]);
  });

  it('emits a complete step list, and a new task with the number in its result', () => {
    const todos = [
      { content: 'Write it', status: 'completed', activeForm: 'Writing' },
      { content: 'Test it', status: 'pending', activeForm: 'Testing' },
    ];
    const lines = [
      ...toolPair('TodoWrite', { todos }, 'ok', 'w'),
      ...toolPair('TaskCreate', { subject: 'Ship it' }, 'Task #7 created successfully: Ship it', 'c'),
      ...toolPair('TaskUpdate', { taskId: '7', status: 'in_progress' }, 'Updated task #7 status', 'u'),
    ];
    expect(told(lines).filter(({ kind }) => kind === 'todos')).toEqual([
      {
        kind: 'todos',
        whole: true,
        items: [
          { id: null, text: 'Write it', status: 'done' },
          { id: null, text: 'Test it', status: 'open' },
        ],
        inherited,
      },
      { kind: 'todos', whole: false, items: [{ id: '7', text: 'Ship it', status: 'open' }], inherited },
      { kind: 'todos', whole: false, items: [{ id: '7', text: null, status: 'active' }], inherited },
    ]);
  });

  it('emits how a command ended, with the output lines that explain a failure, however long the output is', () => {
    const trace = 'Exit code 1\nTypeError: no thing\n    at run (/srv/a.ts:3:5)\n';
    const long = `${'ok line\n'.repeat(2000)}Tests: 2 failed, 5 passed\n`;
    const lines = [
      line.call('Bash', { command: 'npm test' }, 'a'),
      failure(trace + 'x'.repeat(9000), 'a'),
      ...toolPair('Bash', { command: 'npm test | tail' }, long, 'b'),
      ...toolPair('Bash', { command: 'npm test' }, 'all passed', 'c'),
      ...toolPair('Bash', { command: 'npm start' }, 'Command running in background with ID: 1', 'd'),
    ];
    expect(told(lines)).toEqual([
      {
        kind: 'result',
        call: 'a',
        failed: true,
        error: 'TypeError: no thing\nat run (/srv/a.ts:3:5)',
        inherited,
      },
      { kind: 'result', call: 'b', failed: false, error: 'Tests: 2 failed, 5 passed', inherited },
      { kind: 'result', call: 'c', failed: false, error: null, inherited },
    ]);
  });

  it.each([
    ['as a prompt', (text: string) => line.user(text)],
    ['as a hidden prompt', (text: string) => line.meta(`<system-reminder>${text}</system-reminder>`)],
    ['while the agent works', (text: string) => line.queuedCommand(text)],
  ])('emits how a background command ended, when its notice comes %s', (_, deliver) => {
    const notice = (call: string, status: string) =>
      `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>${call}</tool-use-id>\n<output-file>/tmp/b1.output</output-file>\n<status>${status}</status>\n<summary>Background command "Run the tests" ${status}</summary>\n</task-notification>`;
    const lines = [
      ...toolPair('Bash', { command: 'npm test' }, 'Command running in background with ID: b1', 'a'),
      deliver(notice('a', 'failed')),
      deliver(
        `${notice('b', 'completed')}\n${notice('c', 'killed')}\n<task-notification>${notice('d', 'completed')}`,
      ),
    ];
    expect(told(lines)).toEqual([
      { kind: 'result', call: 'a', failed: true, error: null, inherited },
      { kind: 'result', call: 'b', failed: false, error: null, inherited },
      { kind: 'result', call: 'd', failed: false, error: null, inherited },
    ]);
  });

  it('emits the pull request linked to a session', () => {
    const url = 'https://github.com/acme/widgets/pull/3';
    expect(told([line.user('Ship'), { type: 'pr-link', prNumber: 3, prUrl: url }])).toEqual([
      { kind: 'pull request', url, title: null, inherited },
    ]);
  });

  it('limits lists and texts, whatever the agent wrote into them', () => {
    const todos = Array.from({ length: 1000 }, () => ({
      content: 'word '.repeat(10_000),
      status: 'pending',
    }));
    const [event] = told(toolPair('TodoWrite', { todos }, 'ok'));
    expect(event).toMatchObject({ kind: 'todos' });
    expect(JSON.stringify(event).length).toBeLessThan(100_000);
    expect(told(toolPair('TodoWrite', { todos: 'none' }, 'ok'))[0]).toMatchObject({ items: [] });
    expect(told([line.call('AskUserQuestion', { questions: [null, 3, {}] })])).toEqual([]);
  });
});

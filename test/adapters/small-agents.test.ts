import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCopilotSource } from '../../src/adapters/copilot/source.ts';
import { createGeminiSource } from '../../src/adapters/gemini/source.ts';
import { tellRow as tellGoose } from '../../src/adapters/goose/tell-row.ts';
import { tellRow as tellOpenCode } from '../../src/adapters/opencode/tell-row.ts';
import { createPiSource } from '../../src/adapters/pi/source.ts';
import { createQwenSource } from '../../src/adapters/qwen/source.ts';
import { createDialogCalls } from '../../src/adapters/records/emit-dialogs.ts';
import { eventSink } from '../../src/adapters/records/emit-events.ts';
import type { RecordSink } from '../../src/adapters/records/record-sink.ts';
import { orMarks } from '../../src/adapters/records/text-of.ts';
import type { TranscriptEvent } from '../../src/domain/session/transcript-event.ts';
import type { OnProblem, TranscriptSource } from '../../src/ports/transcript-source.ts';
import { tempFolder } from '../support/files/temp-folder.ts';
import {
  geminiHead,
  ORIGIN,
  piAnswer,
  piEntry,
  piHead,
  timeAt,
  writeRows,
} from '../support/transcripts/small-agents.ts';

/** Prompts of one image, of one other file, and of words, each with an answer. */
const PICTURE = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
const PAPER = { mimeType: 'application/pdf', data: 'JVBERi0=' };
const MARKED = ['[Image]', '[Document]', 'then fix it'];

interface Agent {
  source: TranscriptSource;
  path: string;
}

function qwen(): Agent {
  const home = tempFolder('qwen');
  const row = (at: number, type: string, parts: object[]) => ({
    uuid: `u${at}`,
    parentUuid: at === 1 ? null : `u${at - 1}`,
    sessionId: ORIGIN,
    timestamp: timeAt(at),
    type,
    message: { role: type, parts },
  });
  const rows = [
    row(1, 'user', [{ inlineData: PICTURE }]),
    row(2, 'assistant', [{ text: 'a cat' }]),
    row(3, 'user', [{ inlineData: PAPER }]),
    row(4, 'user', [{ text: 'then fix it' }, { inlineData: PICTURE }]),
  ];
  const path = writeRows(join(home, 'projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`), rows);
  return { source: createQwenSource({ homes: [home] }), path };
}

function pi(): Agent {
  const home = tempFolder('pi');
  const prompt = (at: number, ...content: object[]) => piEntry(at, { role: 'user', content });
  const rows = [
    piHead(ORIGIN),
    prompt(1, { type: 'image', ...PICTURE }),
    piEntry(2, piAnswer('a cat')),
    prompt(3, { type: 'file', ...PAPER }),
    prompt(4, { type: 'text', text: 'then fix it' }, { type: 'image', ...PICTURE }),
  ];
  const path = join(home, 'sessions/--home-dev-widgets--', `2026-07-01T09-00-00-000Z_${ORIGIN}.jsonl`);
  return { source: createPiSource({ homes: [home] }), path: writeRows(path, rows) };
}

function copilot(): Agent {
  const home = tempFolder('copilot');
  const event = (at: number, type: string, data: object) => ({
    type,
    data,
    id: `e${at}`,
    timestamp: timeAt(at),
  });
  const file = (path: string) => ({ type: 'file', path, displayName: path });
  const rows = [
    event(0, 'session.start', { sessionId: ORIGIN, version: 1, producer: 'copilot-agent' }),
    event(1, 'user.message', { content: '', attachments: [file('/tmp/a.PNG')] }),
    event(2, 'assistant.message', { content: 'a cat' }),
    event(3, 'user.message', { content: '', attachments: [file('/tmp/a.pdf')] }),
    event(4, 'user.message', { content: 'then fix it', attachments: [file('/tmp/a.png')] }),
  ];
  const path = writeRows(join(home, 'session-state', ORIGIN, 'events.jsonl'), rows);
  return { source: createCopilotSource({ homes: [home] }), path };
}

function gemini(): Agent {
  const home = tempFolder('gemini');
  const row = (at: number, type: string, content: unknown) => ({
    id: `g${at}`,
    timestamp: timeAt(at),
    type,
    content,
  });
  const rows = [
    geminiHead(ORIGIN),
    row(1, 'user', [{ inlineData: PICTURE }]),
    row(2, 'gemini', 'a cat'),
    row(3, 'user', [{ fileData: { mimeType: 'application/pdf', fileUri: 'x' } }]),
    row(4, 'user', [{ text: 'then fix it' }, { inlineData: PICTURE }]),
  ];
  const path = writeRows(join(home, '.gemini/tmp/widgets/chats/session-2026-07-01T09-00.jsonl'), rows);
  return { source: createGeminiSource({ homes: [home] }), path };
}

const AGENTS = Object.entries({ qwen, pi, copilot, gemini });

describe.each(AGENTS)('%s', (_, create) => {
  it('counts a prompt of one image, or of another file, as a prompt', () => {
    const { source, path } = create();
    const prompts: string[] = [];
    source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
      if (event.kind === 'message' && event.role === 'user') prompts.push(event.text);
    });
    expect(prompts).toEqual(MARKED);
  });
});

describe.each(AGENTS)('copies beside a transcript of %s', (_, create) => {
  it('are one session with it, whose own transcript is read', () => {
    const { source, path } = create();
    const copies = ['-copy', '_bak'].map((suffix) => path.replace(/\.jsonl$/, `${suffix}.jsonl`));
    for (const copy of copies) copyFileSync(path, copy);
    const problems: string[] = [];
    const note: OnProblem = (file, _text, reason) => problems.push(`${reason} ${file}`);
    expect(source.find(note)).toMatchObject([{ sessionId: ORIGIN, path }]);
    expect(problems.sort()).toEqual(copies.map((copy) => `copy ${copy}`).sort());
    expect(source.inspect(copies[0] ?? '')).toMatchObject({ sessionId: ORIGIN });
    expect(source.locate(ORIGIN)).toBe(path);
  });
});

it('keeps sessions of Copilot CLI apart whose folders have names of their own', () => {
  const home = tempFolder('copilot');
  const names = ['session_2026_a', 'session_2026_b'];
  const rows = [
    {
      type: 'session.start',
      data: { sessionId: ORIGIN, version: 1, producer: 'copilot-agent' },
      id: 'e0',
      timestamp: timeAt(0),
    },
  ];
  for (const name of names) writeRows(join(home, 'session-state', name, 'events.jsonl'), rows);
  const found = createCopilotSource({ homes: [home] }).find();
  expect(found.map(({ sessionId }) => sessionId).sort()).toEqual(names);
});

it('takes the folder that a repair left beside a session of Copilot CLI for a copy', () => {
  const { source, path } = copilot();
  writeRows(join(dirname(dirname(path)), `${ORIGIN}.bak/events.jsonl`), [
    {
      type: 'session.start',
      data: { sessionId: ORIGIN, version: 1, producer: 'copilot-agent' },
      id: 'e0',
      timestamp: timeAt(0),
    },
    { type: 'user.message', data: { content: 'more than in the other '.repeat(90) }, id: 'e1' },
  ]);
  expect(source.find()).toMatchObject([{ sessionId: ORIGIN, path }]);
});

describe('a prompt of one image in other formats', () => {
  const told = (tell: (sink: RecordSink) => void): string[] => {
    const texts: string[] = [];
    const ignore = () => undefined;
    tell({
      said: ({ role, text }) => {
        if (role === 'user') texts.push(text);
      },
      called: ignore,
      resulted: ignore,
      compacted: ignore,
      noted: ignore,
    });
    return texts;
  };

  it('is marked in sessions of OpenCode and Goose', () => {
    const file = { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,x' };
    expect(told((sink) => tellOpenCode({ role: 'user', parts: [file, file] }, sink))).toEqual([
      '[Image] [Image]',
    ]);
    const content = [{ type: 'image', ...PICTURE }];
    expect(told((sink) => tellGoose({ role: 'user', content }, sink))).toEqual(['[Image]']);
    const answered = [{ type: 'toolResponse', id: 'c', toolResult: { status: 'success', value: content } }];
    expect(told((sink) => tellGoose({ role: 'user', content: answered }, sink))).toEqual(['']);
  });

  it('says nothing of files beside words', () => {
    expect(orMarks('look', [{ type: 'image', ...PICTURE }])).toBe('look');
    expect(orMarks('', [{ type: 'text', text: '' }, { type: 'tool_result' }])).toBe('');
  });
});

describe('what the user said in a dialog', () => {
  const STORE = {
    question: 'Which store?',
    header: 'Store',
    options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  };
  const CACHE = { question: 'Which cache?', header: 'Cache', options: [{ label: 'Redis' }] };
  const both = { questions: [STORE, CACHE] };
  const typed = '> Which cache?\n\nnone, it is **fast**: enough';
  const refused = 'The user rejected permission to use this specific tool call with the following feedback';

  it.each([
    [
      'OpenCode',
      'question',
      both,
      'User has answered your questions: "Which store?"="Postgres", "Which cache?"="none, it is **fast**: enough". You can now continue with the user\'s answers in mind.',
      [typed],
    ],
    [
      'Qwen Code',
      'ask_user_question',
      both,
      'User has provided the following answers:\n\n**Store**: Postgres, SQLite\n**Cache**: none, it is **fast**: enough',
      [typed],
    ],
    [
      'Gemini CLI',
      'ask_user',
      both,
      '{"answers":{"0":"Postgres","1":"none, it is **fast**: enough"}}',
      [typed],
    ],
    [
      'Copilot CLI',
      'ask_user',
      { question: 'Which cache?', choices: ['Redis'] },
      'User responded: none, it is **fast**: enough',
      [typed],
    ],
    ['an option', 'ask_user', { question: 'Which?', choices: ['Redis'] }, 'User selected: Redis', []],
    ['nothing', 'question', both, 'User has answered your questions: "Which store?"="Unanswered".', []],
    ['another tool', 'bash', { command: 'cat a' }, 'User responded: no', []],
    [
      'a plan',
      'exit_plan_mode',
      { plan: '# Plan\nDo it' },
      'User has approved your plan. You can now start coding.',
      ['Approved plan:\n\n# Plan\nDo it'],
    ],
    [
      'a plan that was refused',
      'exit_plan_mode',
      { plan: '# Plan' },
      'Plan rejected. User feedback: simpler, please\n\nThe plan is stored at: /x/p.md\nRevise it.',
      ['simpler, please'],
    ],
    ['a refusal', 'bash', { command: 'rm x' }, `${refused}: keep x`, ['keep x'], true],
    ['an error', 'bash', { command: 'rm x' }, `Error: ${refused}: keep x`, ['keep x'], true],
    ['Pi', 'question', { ...CACHE }, 'User wrote: 1. none', ['> Which cache?\n\n1. none']],
    ['an option of Pi', 'question', { ...CACHE }, 'User selected: 1. Redis', []],
    [
      'questions of Pi',
      'questionnaire',
      { questions: [{ id: 'c', label: 'Cache', prompt: 'Which cache?', options: [] }] },
      'Cache: user wrote: none',
      ['> Which cache?\n\nnone'],
    ],
    ['a page', 'web_fetch', { url: 'https://a.b' }, `${refused}: drop the cache`, []],
    [
      'a page for Qwen Code',
      'web_fetch',
      {},
      'The user rejected this tool call. User feedback: We decided to use the ibis cache',
      [],
    ],
  ])('is read of %s', (_, tool, input, output, replies, failed = false) => {
    const events: TranscriptEvent[] = [];
    const place = { cwd: null, timestamp: null, inherited: false };
    const dialogs = createDialogCalls();
    // The call and its result may be in different records.
    eventSink(place, dialogs, () => undefined).called({ id: 'c', tool, input });
    eventSink(place, dialogs, (event) => events.push(event)).resulted({
      id: 'c',
      output,
      failed,
      images: [],
    });
    const said = events.flatMap((event) => (event.kind === 'message' ? [event.text] : []));
    expect(said).toEqual(replies);
  });

  it.each([
    ['Gemini CLI', 'write_file', 'file_path', 'exit_plan_mode', 'Plan approved. Switching to Default mode.'],
    ['OpenCode', 'write', 'filePath', 'plan_exit', 'User approved switching to build agent. Wait.'],
  ])('is a plan in a file, as it was last changed, in %s', (_, write, name, exit, output) => {
    const events: TranscriptEvent[] = [];
    const place = { cwd: null, timestamp: null, inherited: false };
    const sink = eventSink(place, createDialogCalls(), (event) => events.push(event));
    const path = '/home/dev/.gemini/tmp/shop/plans/ducks.md';
    sink.called({ id: 'w', tool: write, input: { [name]: path, content: '# Ducks\n\nTwo' } });
    sink.called({
      id: 'r',
      tool: 'replace',
      input: { [name]: path, old_string: 'Two', new_string: '$& three' },
    });
    sink.called({ id: 'x', tool: write, input: { [name]: '/home/dev/notes.md', content: 'notes' } });
    sink.called({ id: 'e', tool: exit, input: {} });
    sink.resulted({ id: 'e', output, failed: false, images: [] });
    expect(events.filter((event) => 'reply' in event || event.kind === 'plan')).toMatchObject([
      { kind: 'plan', text: '# Ducks\n\n$& three' },
      { text: 'Approved plan:\n\n# Ducks\n\n$& three', reply: 'plan' },
    ]);
  });

  it('is read by questions that were asked before the part that is read', () => {
    const home = tempFolder('qwen');
    const row = (at: number, type: string, part: object) => ({
      uuid: `u${at}`,
      parentUuid: at === 1 ? null : `u${at - 1}`,
      sessionId: ORIGIN,
      timestamp: timeAt(at),
      type,
      message: { role: type, parts: [part] },
    });
    const name = 'ask_user_question';
    const response = { output: 'User has provided the following answers:\n\n**Store**: a text file' };
    const rows = [
      row(1, 'user', { text: 'choose' }),
      row(2, 'assistant', { functionCall: { id: 'c1', name, args: both } }),
      row(3, 'tool_result', { functionResponse: { id: 'c1', name, response } }),
    ];
    const path = writeRows(join(home, 'projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`), rows);
    const from = rows.slice(0, 2).reduce((sum, one) => sum + JSON.stringify(one).length + 1, 0);
    const events: TranscriptEvent[] = [];
    createQwenSource({ homes: [home] }).read(path, { from, linesBefore: 2, inheritedBytes: 0 }, (event) =>
      events.push(event),
    );
    expect(events).toMatchObject([
      { kind: 'asked', questions: [{ question: 'Which store?' }, { question: 'Which cache?' }] },
      { kind: 'answered', answers: [{ key: 'Which store?', answer: 'a text file' }] },
      { kind: 'message', role: 'user', reply: 'answer', text: '> Which store?\n\na text file' },
      { kind: 'result', failed: false },
    ]);
  });
});

it('looks for a plan that was refused before the part that is read', () => {
  const dialogs = createDialogCalls((id) => ({ plan: id }));
  expect(dialogs.find('c1', 'Plan rejected. User feedback: simpler, please')).toEqual({ plan: 'c1' });
  expect(dialogs.find('c1', 'three files')).toBeNull();
});

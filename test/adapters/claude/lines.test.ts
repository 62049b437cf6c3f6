import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  bashPair,
  COMMIT_OUTPUT,
  jsonl,
  line,
  sampleLines,
  stampLines,
  toolPair,
} from '../../support/transcripts/claude-transcripts.ts';
import { messagesOf, read, readLinesOf, transcript } from './read.ts';

describe('lines of a Claude transcript', () => {
  it('ignores lines of kinds without messages, and reports unknown ones that hold text', () => {
    const odd = ['api-request', 'tools-used', 'cost-state', 'frame-link', 'mode', 'never-heard-of'];
    const { events, result } = readLinesOf([
      line.user('hello'),
      ...odd.map((type) => ({ type, content: 'not a message', text: 'nor this' })),
      line.assistant('hi'),
    ]);
    expect(messagesOf(events)).toEqual(['user: hello', 'assistant: hi']);
    expect(result).toMatchObject({ lines: 8, skipped: [{ line: 7, reason: 'unknown kind' }] });
  });

  it('reads two objects on a single line', () => {
    const [first, second, third] = stampLines([
      line.user('one'),
      line.user('two }{" braces'),
      line.user('three'),
    ]);
    const text = `${JSON.stringify(first)}${JSON.stringify(second)}\n${JSON.stringify(third)}\n`;
    const { events, result } = read(transcript(text));
    expect(messagesOf(events)).toEqual(['user: one', 'user: two }{" braces', 'user: three']);
    expect(result).toMatchObject({ lines: 2, skipped: [] });
  });

  it('reads a second object after an ignored one', () => {
    const [progress, prompt] = stampLines([line.progress({ type: 'bash_progress' }), line.user('wanted')]);
    expect(
      messagesOf(read(transcript(`${JSON.stringify(progress)}${JSON.stringify(prompt)}\n`)).events),
    ).toEqual(['user: wanted']);
  });

  it('skips a line that contains one and a half objects', () => {
    const [first, second] = stampLines([line.user('one'), line.user('two')]).map((one) =>
      JSON.stringify(one),
    );
    const { events, result } = read(transcript(`${first}${second?.slice(0, -20)}\n${second}\n`));
    expect(messagesOf(events)).toEqual(['user: two']);
    expect(result.skipped).toEqual([{ line: 1, reason: 'not JSON' }]);
  });

  it('reads a half-written last line once it is complete', () => {
    const lines = jsonl(stampLines([line.user('one'), line.assistant('two'), line.user('three 🙂 語')]));
    const bytes = Buffer.from(lines);
    const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    for (let cut = start + 1; cut < bytes.length - 1; cut += 7) {
      const path = transcript(bytes.subarray(0, cut));
      const first = read(path);
      expect(messagesOf(first.events)).toEqual(['user: one', 'assistant: two']);
      expect(first.result).toMatchObject({ end: start, lines: 2, skipped: [] });
      appendFileSync(path, bytes.subarray(cut));
      const second = read(path, { from: first.result.end, linesBefore: first.result.lines });
      expect(messagesOf(second.events)).toEqual(['user: three 🙂 語']);
      expect(second.result).toEqual({ end: bytes.length, lines: 1, skipped: [] });
    }
  });

  it('accepts carriage returns and a missing last line feed', () => {
    const text = jsonl(stampLines(sampleLines()));
    const whole = messagesOf(read(transcript(text)).events);
    expect(messagesOf(read(transcript(text.slice(0, -1))).events)).toEqual(whole);
    expect(messagesOf(read(transcript(text.replaceAll('\n', '\r\n'))).events)).toEqual(whole);
  });

  it('ignores comments added by a user', () => {
    const { events, result } = read(
      transcript(`// a note\n${jsonl(stampLines([line.user('hello')]))}// {"type":"user"}\n`),
    );
    expect(messagesOf(events)).toEqual(['user: hello']);
    expect(result).toMatchObject({ lines: 3, skipped: [] });
  });

  it('reads lines of 2 MB', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBO'.repeat(500_000) },
    };
    const { events } = readLinesOf([
      line.user([image, { type: 'text', text: 'What is wrong here?' }]),
      line.result([image], 'toolu_1'),
      line.assistant('A typo.'),
    ]);
    expect(messagesOf(events)).toEqual(['user: What is wrong here?', 'assistant: A typo.']);
  });

  it('skips each line beyond 64 MB and reads the next ones', { timeout: 60_000 }, () => {
    const [first, last] = stampLines([line.user('before'), line.user('after')]).map((one) =>
      JSON.stringify(one),
    );
    const long = Buffer.alloc(70 * 1024 * 1024, 'x');
    const path = transcript(Buffer.concat([Buffer.from(`${first}\n`), long]));
    const open = read(path);
    expect(messagesOf(open.events)).toEqual(['user: before']);
    expect(open.result).toEqual({ end: `${first}\n`.length, lines: 1, skipped: [] });
    appendFileSync(path, `\n${last}\n`);
    const { events, result } = read(path, { from: open.result.end, linesBefore: 1 });
    expect(messagesOf(events)).toEqual(['user: after']);
    expect(result).toEqual({
      end: readFileSync(path).length,
      lines: 2,
      skipped: [{ line: 2, reason: 'not JSON' }],
    });
  });

  it('parses 2 MB lines that are corrupt near their end as fast as intact ones', () => {
    const text = JSON.stringify({ type: 'user', text: '}{"\\"'.repeat(400_000) }).slice(0, -2);
    const started = performance.now();
    for (const broken of [text, text.slice(0, -1), `{"a":${text}`])
      expect(read(transcript(`${broken}\n`)).result.skipped).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('replaces escaped lone surrogates', () => {
    const stamped = jsonl(stampLines([line.user('broken HALF end'), line.assistant('fine')]));
    const { events } = read(transcript(stamped.replace('HALF', '\\ud83d')));
    expect(messagesOf(events)).toEqual(['user: broken \ufffd end', 'assistant: fine']);
  });

  it('preserves text in any script', () => {
    const texts = [
      'почему падает тест?',
      '数据库连接超时',
      '日本語のテスト',
      'naïve café',
      '👩‍👩‍👧 🙂',
      'a\u0000b\ttab',
    ];
    const { events } = readLinesOf(texts.map((text) => line.user(text)));
    expect(messagesOf(events)).toEqual(texts.map((text) => `user: ${text}`));
  });

  it('skips and counts lines of unexpected shape', () => {
    const odd = [
      '[]',
      'null',
      '3',
      '"user"',
      '{}',
      '{"type":7}',
      '{"type":"user"}',
      '{"type":"user","message":null}',
      '{"type":"user","message":{"content":{}}}',
      '{"type":"assistant","message":[]}',
      '{"type":"assistant","message":{"content":null}}',
    ];
    const { events, result } = read(
      transcript(`${odd.join('\n')}\n${jsonl(stampLines([line.user('fine')]))}`),
    );
    expect(messagesOf(events)).toEqual(['user: fine']);
    expect(result.skipped).toHaveLength(odd.length);
  });

  it('reads the valid parts of lines that contain blocks of unexpected shape', () => {
    const { events, result } = readLinesOf([
      line.user([
        null,
        7,
        'text',
        {},
        { type: 'text' },
        { type: 'text', text: 9 },
        { type: 'text', text: 'fine' },
      ] as object[]),
      line.assistant([
        null,
        { type: 'tool_use' },
        { type: 'tool_use', name: 5, input: 'x' },
        { type: 'text', text: 'ok' },
      ] as object[]),
    ]);
    expect(messagesOf(events)).toEqual(['user: fine', 'tool: tool', 'tool: tool', 'assistant: ok']);
    expect(result.skipped).toEqual([]);
  });
});

describe('tool results in Claude transcripts', () => {
  it('emits no message for a tool result, short or long, as text or as blocks', () => {
    const { events } = readLinesOf([
      ...toolPair('Read', { file_path: '/home/dev/widgets/a.ts' }, 'short secret sauce'),
      ...toolPair('Read', { file_path: '/home/dev/widgets/b.ts' }, 'long secret sauce '.repeat(1000)),
      ...toolPair('Read', { file_path: '/home/dev/widgets/c.ts' }, [
        { type: 'text', text: 'block of secret sauce '.repeat(500) },
      ]),
      ...toolPair('Read', { file_path: '/home/dev/widgets/d.ts' }, [
        { type: 'text', text: 'block of secret sauce' },
      ]),
    ]);
    expect(messagesOf(events)).toEqual(['a', 'b', 'c', 'd'].map((name) => `tool: Read ${name}.ts`));
  });

  it('keeps text that the user typed next to a tool result', () => {
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x'.repeat(5000) };
    const { events } = readLinesOf([line.user([result, { type: 'text', text: 'now stop' }])]);
    expect(messagesOf(events)).toEqual(['user: now stop']);
  });

  it('reads the time of a tool result that is too long to be parsed', () => {
    const { events } = readLinesOf([...toolPair('Bash', { command: 'npm test' }, 'ok '.repeat(5000))]);
    expect(events.findLast(({ kind }) => kind === 'context')).toMatchObject({
      kind: 'context',
      timestamp: '2026-07-01T09:00:01.000Z',
    });
  });
});

describe('commits in Claude transcripts', () => {
  const made = {
    kind: 'commit',
    commit: { hash: 'abc1234', subject: 'Add a thing' },
    call: expect.any(String),
    inherited: false,
  };

  it.each([
    ['a short result', COMMIT_OUTPUT],
    ['a long result', `${COMMIT_OUTPUT}${' create mode 100644 src/file.ts\n'.repeat(400)}`],
    ['a result with output before it', `lint ok\n\nformat ok\n${COMMIT_OUTPUT}`],
    ['a branch with slashes and brackets in its name', COMMIT_OUTPUT.replace('main', 'feature/x-(1)')],
    ['a first commit', COMMIT_OUTPUT.replace('[main ', '[main (root-commit) ')],
    [
      'a report with a date',
      COMMIT_OUTPUT.replace('\n 1 file', '\n Date: Wed Jul 1 09:00:00 2026 +0200\n 1 file'),
    ],
  ])('finds commits in %s', (_, output) => {
    expect(readLinesOf(bashPair('git add -A && git commit -m "Add a thing"', output)).events).toContainEqual(
      made,
    );
  });

  it('finds commits after the output of long hooks', () => {
    for (const hooks of ['ran a check\n'.repeat(40), 'ran a check\n'.repeat(4000)])
      expect(
        readLinesOf(bashPair('git commit -m "Add a thing"', hooks + COMMIT_OUTPUT)).events,
      ).toContainEqual(made);
  });

  it('finds commits in text blocks', () => {
    const pair = toolPair('Bash', { command: 'git -C sub commit -F msg' }, [
      { type: 'text', text: COMMIT_OUTPUT },
    ]);
    expect(readLinesOf(pair).events).toContainEqual(made);
  });

  it('preserves quotes, backslashes and non-ASCII letters in a commit’s subject', () => {
    const subject = 'Fix "quoted" C:\\new\\path — naïve 日本語';
    for (const more of ['', ' create mode 100644 src/file.ts\n'.repeat(400)]) {
      const { events } = readLinesOf(
        bashPair('git commit', `[main abc1234] ${subject}\n 2 files changed\n${more}`),
      );
      expect(events).toContainEqual({ ...made, commit: { hash: 'abc1234', subject } });
    }
  });

  it('counts no commit in a file being read, in a printed log or in an error', () => {
    const report = `notes\n${COMMIT_OUTPUT}`;
    for (const lines of [
      toolPair('Read', { file_path: '/home/dev/widgets/notes.md' }, report),
      toolPair('Read', { file_path: '/home/dev/widgets/notes.md' }, report + 'more\n'.repeat(2000)),
      toolPair('Grep', { pattern: 'commit' }, report),
      bashPair('cat notes.md', report),
      [
        line.call('Bash', { command: 'git commit' }),
        line.user([{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: report }]),
      ],
      [line.user(report)],
      [line.assistant(report)],
      [line.result(report, 'toolu_nobody_called')],
    ])
      expect(readLinesOf(lines).events.filter(({ kind }) => kind === 'commit')).toEqual([]);
  });

  it('reads the commits that an output lists', () => {
    const { events } = readLinesOf(
      bashPair('git commit -qm x && git log --oneline -1', 'abc1234 Add a thing\n'),
    );
    const listed = [{ hash: 'abc1234', subject: 'Add a thing' }];
    expect(events).toContainEqual(expect.objectContaining({ kind: 'result', listed }));
  });

  it('recognizes a commit by its call when a read ends between call and result', () => {
    const text = jsonl(stampLines([line.user('go'), ...bashPair('git commit -m x', COMMIT_OUTPUT)]));
    const path = transcript(text);
    const from = Buffer.from(text).lastIndexOf(10, text.length - 2) + 1;
    expect(read(path, { from, linesBefore: 2 }).events).toContainEqual(made);
    writeFileSync(path, text.replace('git commit', 'cat commits'));
    expect(read(path, { from: from + 1, linesBefore: 2 }).events).not.toContainEqual(made);
  });
});

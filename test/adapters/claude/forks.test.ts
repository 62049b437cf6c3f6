import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTranscript } from '../../../src/adapters/claude/files/create-transcript.ts';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import type { Inheritance, TranscriptFile } from '../../../src/ports/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  type ClaudeLine,
  copyLines,
  FORK_ID,
  FORK_STYLES,
  type ForkStyle,
  GRANDCHILD_ID,
  jsonl,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import { messagesOf, readLinesOf } from './read.ts';

const A = stampLines(sampleLines());

describe.each(FORK_STYLES)('Claude forks of the style "%s"', (style) => {
  it('links a fork to its parent and to the bytes it copied', () => {
    const home = tempFolder('forks');
    writeClaude(home, SESSION_ID, A);
    const copied = copyLines(A, style, { sessionId: FORK_ID });
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, A.length)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('recognizes a fork when the parent continued afterwards', () => {
    const home = tempFolder('forks');
    const later = stampLines([line.user('Back here'), line.assistant('Yes.')], { after: 500 });
    writeClaude(home, SESSION_ID, [...A, ...later]);
    const copied = copyLines(A, style, { sessionId: FORK_ID });
    // If two plain copies both continue, the one that does so first counts as the parent.
    const after = style === 'copied' ? 900 : A.length;
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, after)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('recognizes a fork when metadata lines precede and interrupt the copied lines', () => {
    const home = tempFolder('forks');
    writeClaude(home, SESSION_ID, A);
    const meta: ClaudeLine[] = [{ type: 'custom-title', customTitle: 'x', sessionId: FORK_ID }];
    const copied = [...meta, ...copyLines(A.slice(0, 4), style, { sessionId: FORK_ID }), ...meta];
    const more = copyLines(A.slice(4), style, { sessionId: FORK_ID });
    writeClaude(home, FORK_ID, [...copied, ...more, ...own(FORK_ID, A.length)]);
    expect(inheritance(home, FORK_ID)).toMatchObject({ inheritedBytes: copiedBytes([...copied, ...more]) });
  });

  it('recognizes a fork that leaves out the records of progress', () => {
    const home = tempFolder('forks');
    const progress = line.progress({ type: 'hook_progress', hookEvent: 'SessionStart' });
    const parent = stampLines([progress, ...sampleLines().flatMap((one) => [one, progress])]);
    writeClaude(home, SESSION_ID, parent);
    const kept = parent.filter(({ type }) => type !== 'progress');
    const copied = copyLines(kept, style, { sessionId: FORK_ID });
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, parent.length)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('links a fork of a fork to the session it was forked from, not to the first one', () => {
    const home = tempFolder('forks');
    const b = [...copyLines(A, style, { sessionId: FORK_ID }), ...own(FORK_ID, A.length)];
    const copied = copyLines(b, style, { sessionId: GRANDCHILD_ID });
    const c = [...copied, ...own(GRANDCHILD_ID, b.length)];
    writeClaude(home, SESSION_ID, A);
    writeClaude(home, FORK_ID, b);
    writeClaude(home, GRANDCHILD_ID, c);
    expect(inheritance(home, GRANDCHILD_ID)).toEqual({
      parentId: FORK_ID,
      inheritedBytes: copiedBytes(copied),
    });
    expect(inheritance(home, FORK_ID)?.parentId).toBe(SESSION_ID);
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('recognizes a fork after a first message of 2 MB', () => {
    const home = tempFolder('forks');
    const image = { type: 'image', source: { type: 'base64', data: 'iVBO'.repeat(500_000) } };
    const first = stampLines([line.user([image, { type: 'text', text: 'Look' }]), line.assistant('I see.')]);
    const copied = copyLines(first, style, { sessionId: FORK_ID });
    writeClaude(home, SESSION_ID, first);
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, 2)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
  });
});

it('takes a Claude fork for the copy although the parent went on after it', () => {
  const home = tempFolder('forks');
  const begun = {
    ...line.queue('enqueue', 'Go on'),
    timestamp: '2026-07-02T09:00:00.000Z',
    sessionId: FORK_ID,
  };
  const copied = [begun, ...copyLines(A, 'copied', { sessionId: FORK_ID })];
  writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, A.length)]);
  const later = stampLines([line.user('Back here'), line.assistant('Yes.')], { after: 500 });
  writeClaude(home, SESSION_ID, [...A, ...later]);
  expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
  expect(inheritance(home, SESSION_ID)).toBeNull();
});

it('links a Claude fork of a compacted session, which begins with the compaction', () => {
  const home = tempFolder('forks');
  const summary = line.compactSummary('The summary so far');
  const after = [line.compactBoundary(), summary, line.user('Go on'), line.assistant('Yes.')];
  const parent = stampLines([...sampleLines(), ...after]);
  writeClaude(home, SESSION_ID, parent);
  const copied = copyLines(parent.slice(-after.length), 'copied', { sessionId: FORK_ID });
  writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, parent.length)]);
  const source = createClaudeSource({ homes: [home] });
  const heads = source.find().map((file) => source.head(file).fingerprint);
  expect(heads).toEqual([parent[0]?.uuid, parent[0]?.uuid]);
  expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
  expect(inheritance(home, SESSION_ID)).toBeNull();
});

it('links it also beside what is no transcript, and searches each transcript once', () => {
  const home = tempFolder('forks');
  const after = [line.compactBoundary(), line.compactSummary('So far'), line.user('Go on')];
  const parent = stampLines([...sampleLines(), ...after]);
  const path = writeClaude(home, SESSION_ID, parent);
  const copied = copyLines(parent.slice(-after.length), 'copied', { sessionId: FORK_ID });
  const fork = writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, parent.length)]);
  for (const name of ['0.jsonl', 'z.jsonl']) mkdirSync(join(dirname(path), name));
  const source = createClaudeSource({ homes: [home] });
  const head = () => source.head(source.inspect(fork) as TranscriptFile).fingerprint;
  const writtenAt = (seconds: number) => utimesSync(path, seconds, seconds);
  const now = Math.floor(Date.now() / 1000);
  writtenAt(now);
  expect(head()).toBe(parent[0]?.uuid);
  const id = String(copied[0]?.uuid);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(id, 'x'.repeat(id.length)));
  writtenAt(now);
  expect(head()).toBe(parent[0]?.uuid);
  writtenAt(now + 5);
  expect(head()).toBe(id);
});

describe('a Claude fork that joins the messages before the first answer', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const CLEAR = '<command-name>/clear</command-name>\n<command-message>clear</command-message>';
  const before = ['<local-command-caveat>Caveat: …</local-command-caveat>', CLEAR];
  const prompt = 'The invoice total is off by a cent';
  const parent = stampLines([
    line.user(before[0] ?? '', { isMeta: true }),
    line.user(before[1] ?? ''),
    line.user('<local-command-stdout></local-command-stdout>'),
    line.user([text(prompt), { type: 'image', source: { type: 'base64', data: 'iVBO' } }]),
    ...sampleLines().slice(1),
  ]);
  const blocks = [...before.map((one) => text(`${one}\n`)), text(prompt)];
  const joined: ClaudeLine = { ...parent[3], ...line.user(blocks, { isMeta: true }), parentUuid: null };

  it('links it by the id of the last of them', () => {
    const home = tempFolder('forks');
    const copied = copyLines([joined, ...parent.slice(4)], 'copied', { sessionId: FORK_ID });
    const files = [
      writeClaude(home, SESSION_ID, parent),
      writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, parent.length)]),
    ];
    const source = createClaudeSource({ homes: [home] });
    const heads = source.find().map((file) => source.head(file).fingerprint);
    expect(heads).toEqual(files.map(() => parent[3]?.uuid));
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('reads the prompt among them, and not what the program wrote', () => {
    expect(messagesOf(readLinesOf([joined]).events)).toEqual([`user: ${prompt}`]);
    const command = '<command-message>review</command-message>\n<command-name>/review</command-name>';
    const expanded = [text(`${command}\n`), text('You are a careful reviewer.\n'), text(prompt)];
    expect(messagesOf(readLinesOf([line.user(expanded)]).events)).toEqual([`user: /review\n${prompt}`]);
    const skill = [text('Base directory for this skill: /s'), text('Do it well.')];
    expect(messagesOf(readLinesOf([line.user(skill, { isMeta: true })]).events)).toEqual([]);
  });
});

describe('a Claude fork whose first answer follows 100 kB of attachments and API requests', () => {
  it('recognizes a late-marked fork with and without its parent', () => {
    for (const style of ['requestSessionId', 'branch', 'sdk'] as ForkStyle[]) {
      const home = tempFolder('forks');
      const origin = [...largePreamble(), ...A];
      const copied = copyLines(origin, style, { sessionId: FORK_ID });
      writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, A.length)]);
      expect(inheritance(home, FORK_ID)?.parentId).toBe(SESSION_ID);
      writeClaude(home, SESSION_ID, origin);
      const expected = { parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) };
      expect(inheritance(home, FORK_ID)).toEqual(expected);
    }
  });

  it('never mistakes a fork for its parent’s parent', () => {
    const home = tempFolder('forks');
    const origin = [...largePreamble(), ...A];
    const later = stampLines([line.user('Back here'), line.assistant('Yes.')], { after: 500 });
    writeClaude(home, SESSION_ID, [...origin, ...later]);
    writeClaude(home, FORK_ID, copyLines(origin, 'requestSessionId', { sessionId: FORK_ID }));
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('recognizes a fork whose first answer is an unmarked API error', () => {
    const home = tempFolder('forks');
    const failed = stampLines([
      line.user('Hello'),
      line.assistant('Overloaded', { isApiErrorMessage: true }),
    ]);
    const copied = [...failed, ...copyLines(A, 'requestSessionId', { sessionId: FORK_ID })];
    writeClaude(home, FORK_ID, copied);
    expect(inheritance(home, FORK_ID)?.parentId).toBe(SESSION_ID);
  });
});

describe('a Claude fork', () => {
  it('recognizes a fork by its marks when its parent is not on this machine', () => {
    for (const style of ['requestSessionId', 'branch', 'sdk'] as ForkStyle[]) {
      const home = tempFolder('forks');
      writeClaude(home, FORK_ID, [...copyLines(A, style, { sessionId: FORK_ID }), ...own(FORK_ID, A.length)]);
      expect(inheritance(home, FORK_ID)?.parentId).toBe(SESSION_ID);
    }
  });

  it('inherits copied lines after the last copied answer', () => {
    const home = tempFolder('forks');
    const origin = stampLines([
      line.user('a'),
      line.assistant('b'),
      line.user('[Request interrupted by user]'),
      line.user('c'),
    ]);
    const copied = copyLines(origin, 'requestSessionId', { sessionId: FORK_ID });
    writeClaude(home, SESSION_ID, origin);
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, 4)]);
    expect(inheritance(home, FORK_ID)?.inheritedBytes).toBe(copiedBytes(copied));
  });

  it('infers no fork from marks quoted in a message', () => {
    const home = tempFolder('forks');
    const quoted =
      '{"requestSessionId":"99999999-9999-4999-8999-999999999999","forkedFrom":{"sessionId":"x"}}';
    writeClaude(home, SESSION_ID, stampLines([line.user(quoted), line.assistant(quoted)]));
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('infers no fork from a copy of the whole file under another name', () => {
    const home = tempFolder('forks');
    writeClaude(home, SESSION_ID, A);
    writeClaude(home, FORK_ID, A);
    expect(inheritance(home, FORK_ID)).toBeNull();
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });
});

/** The lines that Claude Code 2.1.330 writes before the first answer. */
function largePreamble(): ClaudeLine[] {
  const tools = line.attachment({ type: 'tools', text: 'The schema of a tool. '.repeat(2_000) });
  const messages = [{ type: 'assistant', content: 'An example of an answer. '.repeat(2_000) }];
  const request: ClaudeLine = { type: 'api-request', sessionId: SESSION_ID, request: { messages } };
  const lines = [...stampLines([tools], { seed: 'preamble' }), request];
  expect(Buffer.byteLength(jsonl(lines))).toBeGreaterThan(90_000);
  return lines;
}

function own(sessionId: string, after: number): ClaudeLine[] {
  const cwd = '/home/dev/elsewhere';
  return stampLines([line.user(`Own words of ${sessionId}`), line.assistant('Own answer.')], {
    sessionId,
    after,
    cwd,
  });
}

/** The file size without the final line feed. */
function copiedBytes(lines: ClaudeLine[]): number {
  return Buffer.byteLength(jsonl(lines)) - 1;
}

function inheritance(home: string, sessionId: string): Inheritance | null {
  const source = createClaudeSource({ homes: [home] });
  const files = source.find();
  const file = files.find((one) => one.sessionId === sessionId);
  if (file === undefined) throw new Error(`no ${sessionId}`);
  const { fingerprint } = source.head(file);
  return source.findInheritance(
    file,
    files.filter((other) => source.head(other).fingerprint === fingerprint),
  );
}

it('recognizes a conversation of another agent that smart-fork wrote, without its journal', () => {
  const home = tempFolder('created');
  const path = createTranscript(`${home}/projects/-home-dev/${FORK_ID}.jsonl`, {
    conversation: {
      title: 'The valve',
      messages: [
        { role: 'user', text: 'Turn the valve', timestamp: '2026-07-01T09:00:00.000Z' },
        { role: 'assistant', text: 'Turned.', timestamp: '2026-07-01T09:00:01.000Z' },
      ],
    },
    originId: SESSION_ID,
    sessionId: FORK_ID,
    workingDirectory: '/home/dev',
  });
  const { size } = statSync(path);
  const found = inheritance(home, FORK_ID);
  expect(found?.parentId).toBe(SESSION_ID);
  expect(found?.inheritedBytes).toBeGreaterThan(size - 150);
});

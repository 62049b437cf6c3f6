import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { createGeminiSource } from '../../../src/adapters/gemini/source.ts';
import { objectsOfLine } from '../../../src/adapters/jsonl/objects-of-line.ts';
import { readLines } from '../../../src/adapters/jsonl/read-lines.ts';
import { createPiSource } from '../../../src/adapters/pi/source.ts';
import type { TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';
import {
  geminiHead,
  geminiSession,
  ORIGIN,
  piAnswer,
  piEntry,
  piHead,
  piUser,
  timeAt,
  writeRows,
} from '../../support/transcripts/small-agents.ts';

const record = (text: string) => ({ type: 'user', text, timestamp: '2026-07-01T09:00:00.000Z' });
const first = JSON.stringify(record('a "quoted" {brace'));
const second = JSON.stringify(record('second'));

describe('the values on a line', () => {
  it.each([
    ['one record', first, [record('a "quoted" {brace')]],
    ['two records', first + second, [record('a "quoted" {brace'), record('second')]],
    ['a record behind NUL bytes', `${'\0'.repeat(9)}${second}`, [record('second')]],
    ['records around NUL bytes', `${first}\0\0${second}`, [record('a "quoted" {brace'), record('second')]],
    ['a record behind one torn in a text', first.slice(0, 24) + second, [undefined, record('second')]],
    ['a record behind one torn between fields', first.slice(0, 15) + second, [undefined, record('second')]],
    ['a torn record', first.slice(0, -5), [undefined]],
    ['a torn record with whole parts', '{"a":{"b":1},"c":[{"type":"text","text":"x"}', [undefined]],
    ['no JSON', 'hello', [undefined]],
    ['nothing but NUL bytes', '\0\0', [undefined]],
    ['a number', '7', [7]],
  ])('%s', (_, text, values) => {
    expect(objectsOfLine(text)).toEqual(values);
  });

  it('takes linear time for a long torn line', () => {
    expect(objectsOfLine(`{"a":"${'{"b":'.repeat(400_000)}`)).toEqual([undefined]);
  });
});

const SOURCES: [string, () => { source: TranscriptSource; path: string }][] = [
  [
    'Claude Code',
    () => ({
      source: createClaudeSource({ homes: [] }),
      path: writeClaude(
        tempFolder('claude'),
        SESSION_ID,
        stampLines([line.user('first prompt'), line.user('torn prompt'), line.assistant('whole answer')]),
      ),
    }),
  ],
  [
    'Codex',
    () => {
      const home = tempFolder('codex');
      const at = (minute: number, type: string, payload: object) => ({
        timestamp: timeAt(minute),
        type,
        payload,
      });
      const prompt = (minute: number, message: string) =>
        at(minute, 'event_msg', { type: 'user_message', message });
      const rows = [
        at(0, 'session_meta', { id: ORIGIN, timestamp: timeAt(0), cwd: '/home/dev/widgets' }),
        prompt(1, 'first prompt'),
        prompt(2, 'torn prompt'),
        at(3, 'event_msg', { type: 'agent_message', message: 'whole answer' }),
      ];
      const name = `rollout-2026-07-01T09-00-00-${ORIGIN}.jsonl`;
      return {
        source: createCodexSource({ homes: [home] }),
        path: writeRows(join(home, 'sessions/2026/07/01', name), rows),
      };
    },
  ],
  [
    'Pi',
    () => {
      const home = tempFolder('pi');
      const rows = [piUser('first prompt'), piUser('torn prompt'), piAnswer('whole answer')].map(
        (message, index) => piEntry(index + 1, message),
      );
      const name = `2026-07-01T09-00-00-000Z_${ORIGIN}.jsonl`;
      return {
        source: createPiSource({ homes: [home] }),
        path: writeRows(join(home, 'sessions/--home-dev-widgets--', name), [piHead(ORIGIN), ...rows]),
      };
    },
  ],
];

describe.each(SOURCES)('a torn record of %s', (_, create) => {
  it('costs itself: the record behind it on the line is read and shown, and the tear is counted', () => {
    const { source, path } = create();
    const torn = readFileSync(path, 'utf8').split('\n');
    const at = torn.findIndex((text) => text.includes('torn prompt'));
    const cut = torn[at]?.slice(0, -20) ?? '';
    torn.splice(at, 2, cut + (torn[at + 1] ?? ''));
    writeFileSync(path, torn.join('\n'));
    const texts: string[] = [];
    const { skipped } = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
      if (event.kind === 'message') texts.push(event.text);
    });
    expect(texts).toEqual(['first prompt', 'whole answer']);
    expect(skipped.map(({ reason }) => reason)).toEqual(['not JSON']);
    const shown: string[] = [];
    source.readSteps(path, { from: 0, to: Number.POSITIVE_INFINITY }, (step) => {
      if (step.kind === 'text') shown.push(step.text);
    });
    expect(shown).toEqual(['whole answer']);
  });
});

describe('a long block of NUL bytes', () => {
  const NULS = Buffer.alloc(3_000_000);

  it.each(SOURCES)('does not cost the line behind it: %s', (_, create) => {
    const { source, path } = create();
    writeFileSync(path, Buffer.concat([NULS, readFileSync(path)]));
    const texts: string[] = [];
    source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
      if (event.kind === 'message') texts.push(event.text);
    });
    expect(texts).toEqual(['first prompt', 'torn prompt', 'whole answer']);
  });

  it('does not hide whose session a file of Gemini CLI is', () => {
    const home = tempFolder('gemini');
    const path = join(home, '.gemini/tmp/widgets/chats/session-2026-07-01T09-00.jsonl');
    writeRows(path, [geminiHead(ORIGIN), ...geminiSession()]);
    writeFileSync(path, Buffer.concat([NULS, readFileSync(path)]));
    expect(createGeminiSource({ homes: [home] }).find()).toMatchObject([{ sessionId: ORIGIN }]);
  });

  it('is passed over without holding it, and a line behind it keeps its place', () => {
    const path = join(tempFolder('nuls'), 'lines.jsonl');
    const before = Buffer.from('{"a":1}\n');
    // Longer than the longest line.
    writeFileSync(
      path,
      Buffer.concat([before, Buffer.alloc(70 * 1024 * 1024), Buffer.from('{"b":2}\n{"c":')]),
    );
    const seen: unknown[][] = [];
    const { end } = readLines(path, 0, 0, (line, number, offset, complete) => {
      seen.push([line.toString(), number, offset, complete]);
      return complete;
    });
    expect(seen).toEqual([
      ['{"a":1}', 1, 0, true],
      ['{"b":2}', 2, before.length, true],
      ['{"c":', 3, statSync(path).size - 5, false],
    ]);
    expect(end).toBe(statSync(path).size - 5);
  });
});

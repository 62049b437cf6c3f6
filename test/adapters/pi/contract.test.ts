import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPiSource } from '../../../src/adapters/pi/source.ts';
import { collectTurns, eventsOf } from '../../../src/app/sessions/read-conversation.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import type { RequestUsage } from '../../../src/domain/usage/usage.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  FOLDER,
  FORK,
  ORIGIN,
  piAnswer,
  piEntry,
  piHead,
  piSession,
  piUser,
  timeAt,
  writeRows,
} from '../../support/transcripts/small-agents.ts';

function pathOf(home: string, id: string): string {
  return join(home, 'sessions', '--home-dev-widgets--', `2026-07-01T09-00-00-000Z_${id}.jsonl`);
}

function writeFork(home: string, more: object = { parentSession: pathOf(home, ORIGIN) }): string {
  return writeRows(pathOf(home, FORK), [
    piHead(FORK, { timestamp: timeAt(30), ...more }),
    ...piSession(),
    piEntry(31, piUser('Another way')),
    piEntry(32, piAnswer('Going another way.')),
  ]);
}

describeTranscriptSource('Pi', (home) => ({
  source: createPiSource({ homes: [home] }),
  path: writeRows(pathOf(home, ORIGIN), [piHead(ORIGIN), ...piSession()]),
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
  fork: {
    path: writeFork(home),
    userTexts: ['Another way'],
    assistantTexts: ['Going another way.'],
  },
  foreign: writeRows(join(home, 'other.jsonl'), [
    { type: 'user', sessionId: 'x', message: { content: 'hello' } },
  ]),
}));

function eventsIn(rows: object[]): TranscriptEvent[] {
  const home = tempFolder('pi');
  const path = writeRows(pathOf(home, ORIGIN), rows);
  const events: TranscriptEvent[] = [];
  createPiSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) =>
    events.push(event),
  );
  return events;
}

it('finds the parent of a version 1 file by the file it was branched from', () => {
  const home = tempFolder('pi');
  writeRows(pathOf(home, ORIGIN), [piHead(ORIGIN), ...piSession()]);
  const path = writeFork(home, {
    version: undefined,
    branchedFrom: `/elsewhere/2025-12-09T00-52-54-397Z_${ORIGIN}.jsonl`,
  });
  const source = createPiSource({ homes: [home] });
  const file = source.inspect(path);
  expect(file && source.findInheritance(file, [])?.parentId).toBe(ORIGIN);
});

it('shows a prompt without the skill and the files that Pi puts before it', () => {
  const text =
    '<file name="/a.md">\ntext\n</file>\n<skill name="x" location="/x">\nsteps\n</skill>\n\nRepaint the lighthouse';
  const prompts = eventsIn([piHead(ORIGIN), piEntry(1, piUser(text))]).filter(
    (event) => event.kind === 'message',
  );
  expect(prompts).toEqual([expect.objectContaining({ role: 'user', text: 'Repaint the lighthouse' })]);
});

it('takes the session’s name, its model and its compactions from their entries', () => {
  const events = eventsIn([
    piHead(ORIGIN),
    piEntry(1, piAnswer('Yes.')),
    { type: 'session_info', id: 'a', timestamp: timeAt(2), name: 'Lighthouse' },
    { type: 'compaction', id: 'b', timestamp: timeAt(3), summary: 'What was said.' },
  ]);
  expect(events).toContainEqual({ kind: 'title', source: 'custom', text: 'Lighthouse' });
  expect(events).toContainEqual({ kind: 'context', model: 'some-model' });
  expect(events).toContainEqual({ kind: 'compaction', timestamp: timeAt(3), summary: 'What was said.' });
});

it('counts a request once, and marks those that a fork copied', () => {
  const home = tempFolder('pi');
  const requests: RequestUsage[] = [];
  createPiSource({ homes: [home] }).usage?.read(writeFork(home), null, (request) => requests.push(request));
  expect(requests.map(({ copied, input, cacheRead }) => ({ copied, input, cacheRead }))).toEqual([
    { copied: true, input: 10, cacheRead: 100 },
    { copied: true, input: 10, cacheRead: 100 },
    { copied: false, input: 10, cacheRead: 100 },
  ]);
});

it('cuts a copy that names its origin and ends where it should', () => {
  const home = tempFolder('pi');
  const path = writeRows(pathOf(home, ORIGIN), [piHead(ORIGIN), ...piSession()]);
  const source = createPiSource({ homes: [home] });
  let end = 0;
  source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event, offset) => {
    if (event.kind === 'message' && event.text.startsWith('Naïve')) end = offset;
  });
  const copy = source.cut?.(path, { end, sessionId: FORK, workingDirectory: '/home/dev/other' }) ?? '';
  const file = source.inspect(copy);
  expect(file).toMatchObject({ sessionId: FORK });
  expect(file && source.findInheritance(file, [])).toEqual({ parentId: ORIGIN, inheritedBytes: file?.size });
  expect(file && source.head(file).workingDirectory).toBe('/home/dev/other');
  expect(source.facts?.ending?.(copy).answered).toBe(true);
});

it('leaves out the branches that the user left, also when reading goes on behind them', () => {
  const home = tempFolder('pi');
  const entry = (id: string, parentId: string | null, minute: number, message: object) => ({
    ...piEntry(minute, message),
    id,
    parentId,
  });
  const path = writeRows(pathOf(home, ORIGIN), [
    piHead(ORIGIN),
    entry('a', null, 1, piUser('Paint the lighthouse')),
    entry('b', 'a', 2, piAnswer('Which colour?')),
    entry('c', 'b', 3, piUser('Red')),
    entry('d', 'c', 4, piAnswer('It is red.')),
    entry('e', 'b', 5, piUser('Blue')),
    entry('f', 'e', 6, piAnswer('It is blue.')),
  ]);
  const source = createPiSource({ homes: [home] });
  const read = (from: number, linesBefore: number, isEnough = () => false) => {
    const rewound: TranscriptEvent[] = [];
    const { end, lines } = source.read(path, { from, linesBefore, inheritedBytes: 0, isEnough }, (event) => {
      if (event.kind === 'rewound') rewound.push(event);
    });
    return { rewound, end, lines };
  };
  const expected = [{ kind: 'rewound', messages: ['c', 'd'] }];
  expect(read(0, 0).rewound).toEqual(expected);
  let seen = 0;
  const { end, lines } = read(0, 0, () => ++seen === 5);
  expect(read(end, lines).rewound).toEqual(expected);
  const file = source.inspect(path);
  expect(
    file &&
      collectTurns(eventsOf(source, path, [])).turns.map(({ user, rewound }) => [user, rewound === true]),
  ).toEqual([
    ['Paint the lighthouse', false],
    ['Red', true],
    ['Blue', false],
  ]);
});

it('reads thousands of branches in time that grows with their number', () => {
  const count = 20_000;
  const rows = Array.from({ length: count }, (_, at) => ({
    ...piEntry(1, piUser(`Try ${at}`)),
    id: `id${at}`,
    parentId: at === 0 ? null : `id${2 * Math.floor((at - 1) / 2)}`,
  }));
  const began = performance.now();
  const rewound = eventsIn([piHead(ORIGIN), ...rows]).filter((event) => event.kind === 'rewound');
  // Under 2 s on a busy machine; a list of what is left for each branch takes minutes.
  expect(performance.now() - began).toBeLessThan(10_000);
  const left = rewound.at(-1);
  expect(left !== undefined && 'messages' in left && left.messages).toHaveLength(count / 2 - 1);
});

it('finds and restores sessions in a folder that has those of all projects', () => {
  const folder = tempFolder('pi');
  const path = writeRows(join(folder, `2026-07-01T09-00-00-000Z_${ORIGIN}.jsonl`), [
    piHead(ORIGIN),
    ...piSession(),
  ]);
  const source = createPiSource({ homes: [folder] });
  expect(source.find().map((file) => file.path)).toEqual([path]);
  expect(source.bytes?.restorePath?.(FORK, FOLDER, path)).toBe(join(folder, `${FORK}.jsonl`));
});

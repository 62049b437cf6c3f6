import { describe, expect, it } from 'vitest';
import type { SessionDescription } from '../../../src/app/read/describe-session.ts';
import {
  itemsOf,
  type Picked,
  type PickerState,
  resultInView,
  startState,
  withResults,
} from '../../../src/cli/fork/picker/picker-state.ts';
import { type Key, press } from '../../../src/cli/fork/picker/press.ts';
import { screenLines } from '../../../src/cli/fork/picker/screen.ts';
import { createInk } from '../../../src/cli/terminal/ink.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import { makeResults } from '../../app/fork/results.ts';
import { pick, seededRandom } from '../../support/random.ts';
import { sessionPayload } from '../../support/transcripts/sample-sessions.ts';

const KEYS: Record<string, Key> = {
  up: { name: 'up', sequence: '\u001b[A' },
  down: { name: 'down', sequence: '\u001b[B' },
  enter: { name: 'return', sequence: '\r' },
  esc: { name: 'escape', sequence: '\u001b' },
  tab: { name: 'tab', sequence: '\t' },
  pageup: { name: 'pageup' },
  pagedown: { name: 'pagedown' },
  home: { name: 'home' },
  end: { name: 'end' },
  backspace: { name: 'backspace', sequence: '\u007f' },
  'ctrl-u': { name: 'u', ctrl: true, sequence: '\u0015' },
  'ctrl-w': { name: 'w', ctrl: true, sequence: '\u0017' },
  'ctrl-n': { name: 'n', ctrl: true, sequence: '\u000e' },
  'ctrl-p': { name: 'p', ctrl: true, sequence: '\u0010' },
};

function type(state: PickerState, ...keys: string[]) {
  let picked: Picked | undefined;
  let wantsMore = false;
  for (const key of keys) {
    const pressed = press(state, KEYS[key] ?? { name: key, sequence: key });
    state = pressed.state;
    picked = pressed.picked;
    wantsMore ||= pressed.wantsMore === true;
  }
  return { state, picked, wantsMore };
}

const three = () => startState(makeResults(3), true);

describe('the selection screen', () => {
  it('offers three sessions, a fresh start, another search, and a chat', () => {
    expect(itemsOf(three()).map(({ kind }) => kind)).toEqual([
      'result',
      'result',
      'result',
      'fresh',
      'refine',
      'chat',
    ]);
  });

  it('moves up and down, and wraps around', () => {
    expect(type(three(), 'down', 'down').state.cursor).toBe(2);
    expect(type(three(), 'up').state.cursor).toBe(5);
    expect(type(three(), 'up', 'down').state.cursor).toBe(0);
    expect(type(three(), 'j', 'j', 'k').state.cursor).toBe(1);
    expect(type(three(), 'ctrl-n', 'ctrl-n', 'ctrl-p').state.cursor).toBe(1);
    expect(type(three(), 'end').state.cursor).toBe(5);
    expect(type(three(), 'end', 'home').state.cursor).toBe(0);
  });

  it('selects the highlighted item with Enter, and any item by its number', () => {
    expect(type(three(), 'down', 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 2 } });
    expect(type(three(), '3').picked).toMatchObject({ kind: 'session', result: { rank: 3 } });
    expect(type(three(), '4').picked).toEqual({ kind: 'fresh' });
    expect(type(three(), '5').picked).toEqual({ kind: 'refine' });
    expect(type(three(), '9').picked).toBeUndefined();
  });

  it('closes open views with Esc, then cancels', () => {
    expect(type(three(), 'esc').picked).toEqual({ kind: 'cancel' });
    expect(type(three(), 'tab', 'esc').picked).toBeUndefined();
    expect(type(three(), 'tab', 'esc', 'esc').picked).toEqual({ kind: 'cancel' });
    expect(type(three(), 'q').picked).toEqual({ kind: 'cancel' });
  });

  it('filters by the text typed after a slash', () => {
    const filtered = type(three(), '/', 'r', 'e', 't', 'r', 'y');
    expect(filtered.wantsMore).toBe(true);
    expect(itemsOf(filtered.state)).toHaveLength(4);
    expect(type(filtered.state, 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 1 } });
    expect(type(filtered.state, 'esc').state).toMatchObject({ filter: '', typing: false });
    expect(type(filtered.state, 'backspace').state.filter).toBe('retr');
    expect(type(filtered.state, 'ctrl-u').state.filter).toBe('');
    expect(type(filtered.state, ' ', 'x', 'ctrl-w').state.filter).toBe('retry ');
    expect(type(three(), '/', '👩‍👩‍👧‍👦', 'backspace').state.filter).toBe('');
    expect(type(three(), '/', '2', 'q', 'm').state.filter).toBe('2qm');
  });

  it('chats about the result highlighted last', () => {
    const story = type(three(), 'down', 'down', 'down', 'end', 'enter').state;
    expect(story.view).toBe('story');
    expect(resultInView(story)?.rank).toBe(3);
    expect(type(story, 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 3 } });
    expect(type(story, 'esc').state.view).toBe('list');
  });

  it('loads more results once, and keeps the highlight', () => {
    expect(type(three(), 'm').wantsMore).toBe(true);
    const more = withResults(type(three(), 'down').state, makeResults(200), false);
    expect(resultInView(more)?.rank).toBe(2);
    expect(itemsOf(more)).toHaveLength(203);
    expect(type(more, 'm').wantsMore).toBe(false);
    const onRefine = withResults(type(three(), 'end', 'up').state, makeResults(200), false);
    expect(itemsOf(onRefine)[onRefine.cursor]?.kind).toBe('refine');
  });
});

describe('the picker’s screen', () => {
  const description: SessionDescription = {
    session: sessionPayload({
      id: 'x',
      record: {
        files_touched: ['src/a.ts', 'src/部品.ts'],
        commits: [{ hash: 'abc1234', subject: 'Add a retry' }],
      },
    }),
    local: true,
    restorable: false,
    turns: Array.from({ length: 30 }, (_, index) => ({
      index,
      timestamp: null,
      user: `質問 ${index} `.repeat(20),
      assistant: 'answer '.repeat(40),
      tools: ['Edit a'],
      files: ['src/a.ts'],
    })),
    matches: [{ turn: 4, score: 1, snippet: { text: 'add a retry to the upload', ranges: [[6, 11]] } }],
    forkAt: 4,
    looseEnds: ['Shall I?'],
    forks: [sessionPayload({ id: 'forked' })],
  };

  it('fits every terminal, whatever keys are pressed', () => {
    const names = [...Object.keys(KEYS), '/', 'm', 'c', 'a', '日', ' ', '1'];
    const random = seededRandom(7);
    for (let round = 0; round < 120; round += 1) {
      const rows = 10 + random(40);
      const columns = 40 + random(120);
      const ink = createInk({ columns, color: round % 2 === 0 ? 0 : 3, unicode: round % 3 > 0 });
      let state = startState(makeResults(round % 4 === 0 ? 200 : 3), true);
      for (let step = 0; step < 12; step += 1) {
        state = type(state, pick(random, names)).state;
        const context = {
          query: 'add a retry to the upload of 部品 '.repeat(1 + (round % 3)),
          confidence: 81,
          nowMs: Date.parse('2026-03-10T10:00:00Z'),
          ink,
          rows,
          description: round % 5 === 0 ? null : description,
          status: round % 7 === 0 ? 'Looking for more' : null,
        };
        const { lines, deepest } = screenLines(state, context);
        expect(lines.length).toBeLessThan(rows);
        expect(deepest).toBeGreaterThanOrEqual(0);
        const wrong = lines.filter((line) => line.includes('\n') || displayWidth(plain(line)) >= columns);
        expect(wrong).toEqual([]);
        if (state.view === 'list')
          expect(
            lines.some((line) => isMarked(line, state)),
            lines.join('\n'),
          ).toBe(true);
      }
    }
  }, 60_000);
});

/** Whether the line is that of the highlighted item. */
function isMarked(line: string, state: PickerState): boolean {
  const text = plain(line);
  return /[❯>] /.test(text) || (itemsOf(state).length === 3 && text.includes('Filter:'));
}

function plain(line: string): string {
  return line.replace(/\u001b\[[0-9;]*m/g, '');
}

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
import { type Key, press } from '../../../src/cli/fork/picker/press-key.ts';
import { screenLines } from '../../../src/cli/fork/picker/screen.ts';
import { createInk } from '../../../src/cli/terminal/ink.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import type { Fit } from '../../../src/domain/search/certainty.ts';
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
  'ctrl-r': { name: 'r', ctrl: true, sequence: '\u0012' },
  'ctrl-t': { name: 't', ctrl: true, sequence: '\u0014' },
  'ctrl-y': { name: 'y', ctrl: true, sequence: '\u0019' },
  right: { name: 'right', sequence: '\u001b[C' },
};

function type(state: PickerState, ...keys: string[]) {
  let picked: Picked | undefined;
  let wants: string | undefined;
  for (const key of keys) {
    const pressed = press(state, KEYS[key] ?? { name: key, sequence: key });
    state = pressed.state;
    picked = pressed.picked;
    wants ??= pressed.wants;
  }
  return { state, picked, wants };
}

const five = () => startState(makeResults(5), { more: true, scope: 'everywhere' });

describe('the selection screen', () => {
  it('offers the sessions, a fresh start, another search, and a chat', () => {
    const kinds = itemsOf(five()).map(({ kind }) => kind);
    expect(kinds).toEqual([...Array(5).fill('result'), 'fresh', 'refine', 'chat']);
  });

  it('moves up and down, and wraps around', () => {
    expect(type(five(), 'down', 'down').state.cursor).toBe(2);
    expect(type(five(), 'up').state.cursor).toBe(7);
    expect(type(five(), 'up', 'down').state.cursor).toBe(0);
    expect(type(five(), 'ctrl-n', 'ctrl-n', 'ctrl-p').state.cursor).toBe(1);
    expect(type(five(), 'end', 'home').state.cursor).toBe(0);
  });

  it('forks the highlighted session with Enter, and resumes or copies it with other keys', () => {
    const result = { rank: 2 };
    expect(type(five(), 'down', 'enter').picked).toMatchObject({ kind: 'session', result, way: 'fork' });
    expect(type(five(), 'down', 'ctrl-r').picked).toMatchObject({ kind: 'session', result, way: 'resume' });
    expect(type(five(), 'down', 'ctrl-y').picked).toMatchObject({ kind: 'session', result, way: 'copy' });
    expect(type(five(), 'down', 'ctrl-t').picked).toMatchObject({ result, way: 'fork-at-turn' });
    expect(type(five(), 'end', 'ctrl-r').picked).toBeUndefined();
  });

  it('highlights a session by its number without starting anything', () => {
    expect(type(five(), '3')).toMatchObject({ state: { cursor: 2, filter: '' }, picked: undefined });
    expect(type(five(), '9').state.filter).toBe('9');
    expect(type(five(), 'a', '3').state.filter).toBe('a3');
  });

  it('filters by the typed text, and looks for more results once', () => {
    const filtered = type(five(), 'r', 'e', 't', 'r', 'y');
    expect(filtered.wants).toBe('more');
    expect(itemsOf(filtered.state).map(({ kind }) => kind)).toEqual(['result', 'refine', 'fresh', 'chat']);
    expect(type(filtered.state, 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 1 } });
    expect(type(filtered.state, 'esc').state.filter).toBe('');
    expect(type(filtered.state, 'backspace').state.filter).toBe('retr');
    expect(type(filtered.state, 'ctrl-u').state.filter).toBe('');
    expect(type(filtered.state, ' ', 'x', 'ctrl-w').state.filter).toBe('retry ');
    expect(type(five(), '👩‍👩‍👧‍👦', 'backspace').state.filter).toBe('');
    expect(type(withResults(five(), makeResults(200), { more: false }), 'a').wants).toBeUndefined();
  });

  it('searches for the typed text instead of filtering', () => {
    const state = type(five(), 'z', 'z', 'z').state;
    expect(type(state, 'enter').picked).toEqual({ kind: 'refine', text: 'zzz' });
  });

  it('clears the filter with Esc, then cancels', () => {
    expect(type(five(), 'a', 'esc').picked).toBeUndefined();
    expect(type(five(), 'a', 'esc', 'esc').picked).toEqual({ kind: 'cancel' });
  });

  it('switches the scope with Tab, if there is one', () => {
    expect(type(five(), 'tab').wants).toBe('scope');
    expect(type({ ...five(), scope: null }, 'tab').wants).toBeUndefined();
    const here = withResults(five(), makeResults(1), { scope: 'here', more: false });
    expect(here).toMatchObject({ scope: 'here', cursor: 0 });
  });

  it('chats about the result highlighted last', () => {
    const story = type(five(), 'down', 'down', 'end', 'enter').state;
    expect(story.reading).toBe(true);
    expect(resultInView(story)?.rank).toBe(3);
    expect(type(story, 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 3 } });
    expect(type(story, 'ctrl-r').picked).toMatchObject({ way: 'resume', result: { rank: 3 } });
    expect(type(story, 'esc').state.reading).toBe(false);
  });

  it('keeps the highlight when more results arrive', () => {
    const more = withResults(type(five(), 'down').state, makeResults(200), { more: false });
    expect(resultInView(more)?.rank).toBe(2);
    const onRefine = withResults(type(five(), 'end', 'up').state, makeResults(200), { more: false });
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
    parent: null,
  };

  it('says whose sessions come first among nearly equal ones, except within one repository', () => {
    const context = { query: 'upload', confidence: 81, nowMs: 0, rows: 24, description, status: null };
    const ink = createInk({ columns: 80, color: 0, unicode: true });
    const second = (scope: 'here' | 'everywhere', more: { preferred?: string }) =>
      screenLines({ ...five(), scope }, { ...context, ...more, ink }).lines[1];
    expect(second('everywhere', { preferred: 'web-shop' })).toMatch(
      / 5\+ found · web-shop first, unless --everywhere$/,
    );
    expect(second('everywhere', {})).toMatch(/ 5\+ found · all repositories$/);
    expect(second('here', {})).toMatch(/ 5\+ found · this repository$/);
  });

  const shown = (
    state: PickerState,
    { rows = 24, columns = 80, ...more }: { rows?: number; columns?: number; fit?: Fit } = {},
  ) => {
    const ink = createInk({ columns, color: 0, unicode: true });
    const context = { query: 'upload', confidence: 81, nowMs: 0, rows, description, status: null };
    return screenLines(state, { ...context, ...more, ink }).lines;
  };

  it.each([40, 80, 200])(
    'keeps a fresh start, another search and the chat in view below many sessions on a tall screen of %i columns',
    (columns) => {
      const many = startState(makeResults(20), { more: true, scope: null });
      for (const state of [many, type(many, 'down', 'down', 'down', 'down', 'down', 'down').state]) {
        const text = shown(state, { rows: 40, columns }).join('\n');
        for (const name of ['Start a fresh session', 'Search for something else', 'Read this session first'])
          expect(text).toContain(name);
        expect(text).toMatch(/\d+ more below/);
        expect(text).toMatch(/❯ \d+\./);
      }
    },
  );

  it('shows how well each session fits, and which forks are folded into it', () => {
    const [first, second] = makeResults(2);
    const results = [
      { ...first, strength: 'strong', recommended: true, family: ['e6b158a2-1111'] },
      { ...second, strength: 'possible', recommended: false },
    ] as ReturnType<typeof makeResults>;
    const text = shown(startState(results, { more: false, scope: null })).join('\n');
    expect(text).toMatch(/★ Recommended · strong match · .* · \+ 1 like it/);
    expect(text).toContain('possible match');
    expect(text).toContain('+ 1 session of the same work: e6b158a2');
  });

  it('shows as much of an id as distinguishes the session from others', () => {
    const [first] = makeResults(1);
    const id = first?.session_id ?? '';
    const ink = createInk({ columns: 160, color: 0, unicode: true, shortId: (id) => id.slice(0, 12) });
    const context = { query: 'upload', confidence: 81, nowMs: 0, rows: 40, description, status: null, ink };
    const text = screenLines(startState(makeResults(1), { more: false, scope: null }), context).lines.join(
      '\n',
    );
    expect(text).toContain(id.slice(0, 12));
    expect(text.split(id.slice(0, 8))).toHaveLength(text.split(id.slice(0, 12)).length);
  });

  it('says first when nothing fits', () => {
    const results = makeResults(2).map((result) => ({
      ...result,
      strength: 'none' as const,
      recommended: false,
    }));
    const fit = { level: 'nothing' as const, text: 'nothing fits; the closest are' };
    expect(shown(startState(results, { more: false, scope: null }), { fit })[0]).toBe(
      '"upload": nothing fits; the closest are:',
    );
  });

  it('fits every terminal, whatever keys are pressed', () => {
    const names = [...Object.keys(KEYS), 'a', '日', ' ', '1'];
    const random = seededRandom(7);
    for (let round = 0; round < 120; round += 1) {
      const rows = 10 + random(40);
      const columns = 40 + random(170);
      const ink = createInk({ columns, color: round % 2 === 0 ? 0 : 3, unicode: round % 3 > 0 });
      const scope = round % 6 === 0 ? null : round % 2 === 0 ? 'here' : 'everywhere';
      const count = round % 4 === 0 ? 200 : round % 9 === 0 ? 0 : 5;
      let state = startState(makeResults(count), { more: true, scope });
      for (let step = 0; step < 12; step += 1) {
        state = type(state, pick(random, names)).state;
        const context = {
          query: 'add a retry to the upload of 部品 '.repeat(1 + (round % 3)),
          confidence: 81,
          preferred: round % 8 === 2 ? 'widgets 部品 '.repeat(1 + (round % 3)) : undefined,
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
        if (!state.reading)
          expect(
            lines.some((line) => /^[❯>] \d+\./.test(plain(line))),
            lines.join('\n'),
          ).toBe(true);
      }
    }
  }, 60_000);
});

function plain(line: string): string {
  return line.replace(/\u001b\[[0-9;]*m/g, '');
}

import { describe, expect, it } from 'vitest';
import type { SessionDescription } from '../../../src/app/read/describe-session.ts';
import { itemLines } from '../../../src/cli/fork/picker/item-lines.ts';
import type { Key } from '../../../src/cli/fork/picker/key.ts';
import {
  type Item,
  itemsOf,
  type Picked,
  type PickerState,
  resultInView,
  startState,
  withResults,
} from '../../../src/cli/fork/picker/picker-state.ts';
import { press } from '../../../src/cli/fork/picker/press-key.ts';
import { screenLines, storyWidth } from '../../../src/cli/fork/picker/screen.ts';
import type { ScreenContext } from '../../../src/cli/fork/picker/screen-context.ts';
import { type StoryLine, storyLines } from '../../../src/cli/fork/picker/story-lines.ts';
import { createInk, type Ink } from '../../../src/cli/terminal/ink.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import type { Fit } from '../../../src/domain/search/certainty.ts';
import { makeResults } from '../../app/fork/results.ts';
import { pick, seededRandom } from '../../support/random.ts';
import { sessionPayload } from '../../support/transcripts/sample-sessions.ts';

const NOW = Date.parse('2027-03-10T10:00:00Z');

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
  return typeIn(state, [], ...keys);
}

function typeIn(state: PickerState, story: StoryLine[], ...keys: string[]) {
  let picked: Picked | undefined;
  let wants: string | undefined;
  for (const key of keys) {
    const pressed = press(state, KEYS[key] ?? { name: key, sequence: key }, story);
    state = pressed.state;
    picked = pressed.picked;
    wants = pressed.wants ?? wants;
  }
  return { state, picked, wants };
}

const choices = (count: number) =>
  startState(makeResults(count), { page: 'choices', text: 'upload', more: false, scope: 'everywhere' });
const list = (count: number) =>
  startState(makeResults(count), { page: 'list', text: '', more: false, scope: 'everywhere' });
const five = () => choices(5);

describe('the choices after a search', () => {
  it('have a space after their number, whatever its length, and the pointer without one', () => {
    const draw = (item: object, cursor: number, page: 'choices' | 'list' = 'choices') => {
      const context = { ink: createInk({ columns: 80, color: 0, unicode: true }) } as ScreenContext;
      return itemLines(item as Item, 0, { ...choices(1), page, cursor }, context, 60);
    };
    const leave = { kind: 'leave', name: 'None' };
    for (const digit of [1, 10, 100]) expect(draw({ ...leave, digit }, -1)[0]?.trim()).toBe(`${digit}. None`);
    expect(draw({ ...leave, digit: 1 }, -1)).toEqual(['  1. None']);
    expect(draw(leave, 0, 'list')[0]).toMatch(/^\S None$/);
  });

  it('are three sessions, None, Type something, More, and a session to read', () => {
    const kinds = (count: number) => itemsOf(choices(count)).map(({ kind }) => kind);
    expect(kinds(5)).toEqual(['session', 'session', 'session', 'fresh', 'refine', 'more', 'chat']);
    expect(kinds(3)).toEqual(['session', 'session', 'session', 'fresh', 'refine', 'chat']);
    expect(kinds(1)).toEqual(['session', 'fresh', 'refine', 'chat']);
    expect(kinds(0)).toEqual(['fresh', 'refine']);
  });

  it('are taken by their digits, which are never text', () => {
    expect(type(five(), '2').picked).toMatchObject({ kind: 'session', result: { rank: 2 }, way: 'fork' });
    expect(type(five(), '4').picked).toEqual({ kind: 'fresh' });
    expect(type(five(), '5').state).toMatchObject({ page: 'list', text: '' });
    expect(type(choices(2), '3').picked).toEqual({ kind: 'fresh' });
    expect(type(choices(2), '4').state).toMatchObject({ page: 'list', text: '' });
    for (const digit of ['0', '6', '9'])
      expect(type(five(), digit)).toMatchObject({
        state: { page: 'choices', text: 'upload' },
        picked: undefined,
      });
  });

  it('move up and down, and wrap around', () => {
    expect(type(five(), 'down', 'down').state.cursor).toBe(2);
    expect(type(five(), 'up').state.cursor).toBe(6);
    expect(type(five(), 'up', 'down').state.cursor).toBe(0);
    expect(type(five(), 'ctrl-n', 'ctrl-n', 'ctrl-p').state.cursor).toBe(1);
    expect(type(five(), 'end', 'home').state.cursor).toBe(0);
  });

  it('fork the highlighted session with Enter, and resume or copy it with other keys', () => {
    const result = { rank: 2 };
    expect(type(five(), 'down', 'enter').picked).toMatchObject({ kind: 'session', result, way: 'fork' });
    expect(type(five(), 'down', 'ctrl-r').picked).toMatchObject({ kind: 'session', result, way: 'resume' });
    expect(type(five(), 'down', 'ctrl-y').picked).toMatchObject({ kind: 'session', result, way: 'copy' });
    expect(type(five(), 'down', 'ctrl-t').picked).toMatchObject({ result, way: 'fork-at-turn' });
    expect(type(five(), 'end', 'ctrl-r').picked).toBeUndefined();
  });

  it('open the list with the same query behind More, and lead back with Esc', () => {
    const more = type(five(), 'end', 'up', 'enter');
    expect(more).toMatchObject({ state: { page: 'list', text: 'upload' }, wants: 'find now' });
    const all = withResults(more.state, makeResults(50), { more: false, scope: 'everywhere' });
    expect(itemsOf(all)).toHaveLength(51);
    const back = type(all, 'down', 'esc').state;
    expect(back).toMatchObject({ page: 'choices', text: 'upload', cursor: 0 });
    expect(itemsOf(back)).toHaveLength(7);
    expect(type(back, 'esc').picked).toEqual({ kind: 'cancel' });
  });

  it('begin another search with any other key', () => {
    expect(type(five(), 'r')).toMatchObject({ state: { page: 'list', text: 'r' }, wants: 'find now' });
  });

  it('show no session in the preview while none is chosen', () => {
    const inView = (...keys: string[]) => resultInView(type(five(), ...keys).state)?.rank ?? null;
    expect(inView('down')).toBe(2);
    expect(inView('down', 'down', 'down')).toBeNull();
    expect(inView('down', 'down', 'down', 'down')).toBeNull();
    expect(inView('down', 'down', 'end')).toBe(3);
  });

  it('switch the scope with Tab, if there is one', () => {
    expect(type(five(), 'tab').wants).toBe('scope');
    expect(type({ ...five(), scope: null }, 'tab').wants).toBeUndefined();
    const here = withResults(five(), makeResults(1), { scope: 'here', more: false });
    expect(here).toMatchObject({ scope: 'here', cursor: 0 });
  });

  it('keep the highlight when more results arrive', () => {
    const more = withResults(type(five(), 'down').state, makeResults(200), { more: false, scope: null });
    expect(resultInView(more)?.rank).toBe(2);
  });
});

describe('the list', () => {
  it('searches for everything that is typed', () => {
    const typed = type(list(9), 'p', 'y', ' ', '3');
    expect(typed).toMatchObject({ state: { text: 'py 3', settled: false, cursor: 0 }, wants: 'find' });
    expect(type(typed.state, 'backspace').state.text).toBe('py ');
    expect(type(typed.state, 'ctrl-w').state.text).toBe('py ');
    expect(type(typed.state, 'ctrl-u').state.text).toBe('');
    expect(type(list(9), '👩‍👩‍👧‍👦', 'backspace').state.text).toBe('');
  });

  it('takes nothing that was found for a former text', () => {
    const typed = type(list(9), 'x', 'enter');
    expect(typed).toMatchObject({ picked: undefined, wants: 'find now' });
    expect(type(list(9), 'x', 'ctrl-r').picked).toBeUndefined();
    const found = withResults(typed.state, makeResults(2), { more: false, scope: null });
    expect(type(found, 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 1 } });
  });

  it('clears the text with Esc, then cancels', () => {
    expect(type(list(9), 'a', 'esc')).toMatchObject({ state: { text: '' }, picked: undefined });
    expect(type(list(9), 'a', 'esc', 'esc').picked).toEqual({ kind: 'cancel' });
  });
});

const STORY = (state: PickerState, description: SessionDescription | null, ink: Ink): StoryLine[] => {
  const result = state.reading === null ? null : resultInView(state);
  const marks = (text: string): [number, number][] => {
    const at = text.indexOf('answer');
    return at < 0 ? [] : [[at, at + 6]];
  };
  return result === null
    ? []
    : storyLines(result, description, { ink, nowMs: NOW, width: storyWidth(ink), marks });
};

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
    open: ['Shall I?'],
    forks: [sessionPayload({ id: 'forked' })],
    parent: null,
  };

  const shown = (
    state: PickerState,
    {
      rows = 24,
      columns = 80,
      ...more
    }: { rows?: number; columns?: number; fit?: Fit; preferred?: string } = {},
  ) => {
    const ink = createInk({ columns, color: 0, unicode: true });
    const story = STORY(state, description, ink);
    return screenLines(state, { nowMs: NOW, rows, description, status: null, story, ...more, ink }).lines;
  };

  it('keep their place when the cursor moves to None and More', () => {
    const places = [80, 100, 120].map((columns) =>
      itemsOf(five()).map((_, cursor) => {
        const lines = shown({ ...five(), cursor }, { columns });
        return lines.length - lines.findIndex((line) => /^Enter /.test(line));
      }),
    );
    for (const of of places) expect(new Set(of).size).toBe(1);
  });

  it('says whose sessions come first among nearly equal ones, except within one repository', () => {
    const second = (scope: 'here' | 'everywhere', more: { preferred?: string } = {}) =>
      shown({ ...five(), scope }, more)[1];
    expect(second('everywhere', { preferred: 'web-shop' })).toBe('web-shop first, unless --everywhere');
    expect(second('everywhere')).toBe('all repositories');
    expect(second('here')).toBe('this repository');
    expect(shown({ ...list(5), scope: 'here' })[1]).toMatch(/^> _ .* 5 recent · this repository$/);
  });

  it.each([
    [80, 24],
    [60, 20],
    [200, 50],
  ])('shows all choices on a screen of %i columns and %i rows', (columns, rows) => {
    for (const count of [0, 1, 2, 3, 50]) {
      const text = shown(choices(count), { columns, rows }).join('\n');
      const digits = Math.min(3, count);
      expect(text).toContain(`${digits + 1}. None - start fresh`);
      expect(text).toContain(`${digits + 2}. Type something`);
      expect(text.includes('More …')).toBe(count > 3);
      if (count > 0)
        expect(text).toMatch(/1\. Add a retry to the upload[\s\S]*00000000 · Mar 1, 2026 · 87% · widgets/);
      expect(text.match(/% · /g)?.length ?? 0).toBe(digits);
    }
  });

  it('shows one turn of the session, at which a fork is offered', () => {
    const text = shown(five(), { columns: 120, rows: 40 }).join('\n');
    expect(text.match(/turn \d+ of 30/g)).toEqual(['turn 4 of 30']);
    expect(text).toContain('Ctrl-T fork at turn 4');
  });

  it('leaves the preview empty while no session is chosen', () => {
    const below = (state: PickerState) => {
      const lines = shown(state);
      return lines.slice(lines.findIndex((line) => line.startsWith('──')) + 1, -2).filter(Boolean);
    };
    expect(below(type(five(), 'down').state)).not.toEqual([]);
    expect(below(type(five(), '5').state)).not.toEqual([]);
    expect(below(type(five(), 'up', 'up', 'up').state)).toEqual([]);
  });

  it('reads the conversation with its answers, and finds words in it', () => {
    const ink = createInk({ columns: 80, color: 0, unicode: true });
    const reading = type(five(), 'right').state;
    const story = STORY(reading, description, ink);
    const text = story.map((line) => line.text).join('\n');
    expect(text).toContain('turn 30 of 30 · 1 call · 1 file changed');
    expect(text).toMatch(/> 質問 29 .*\n/);
    expect(text).toContain('  answer answer');
    expect(story.filter(({ ranges }) => ranges.length > 0).length).toBeGreaterThan(29);
    const found = typeIn(reading, story, '/', '質', '問', ' ', '7', 'enter').state;
    expect(story[found.scroll]?.text).toContain('質問 7');
    expect(shown(found).join('\n')).toMatch(/\/質問 7: on \d+ lines?/);
    const next = typeIn(found, story, 'n', 'n', 'n').state;
    expect(next.scroll).toBeGreaterThan(found.scroll);
    expect(typeIn(next, story, 'N').state.scroll).toBeLessThan(next.scroll);
    expect(typeIn(next, story, 'esc').state.reading).toEqual({ find: '', isTyping: false });
    expect(typeIn(next, story, 'esc', 'esc').state.reading).toBeNull();
    expect(typeIn(reading, story, '/', 'q', 'enter').state.reading).toEqual({ find: 'q', isTyping: false });
    expect(typeIn(reading, story, 'enter').picked).toMatchObject({ kind: 'session', result: { rank: 1 } });
  });

  it('shows which forks are folded into a session, and why it matched', () => {
    const [first, second] = makeResults(2);
    const results = [
      { ...first, family: ['e6b158a2-1111'] },
      { ...second, title: 'x' },
    ] as ReturnType<typeof makeResults>;
    const state = startState(results, { page: 'choices', text: 'upload', more: false, scope: null });
    const text = shown(state, { columns: 250, rows: 40 }).join('\n');
    expect(text).toMatch(/★ Recommended · 0{8} · Mar 1, 2026 · 87% · widgets/);
    expect(text).toMatch(/ · 3% · 部品 · (?:semantic|keyword) match, working solution/);
    expect(text).toContain('+ 1 session of the same work: e6b158a2');
  });

  it('shows as much of an id as distinguishes the session from others', () => {
    const [first] = makeResults(1);
    const id = first?.session_id ?? '';
    const ink = createInk({ columns: 160, color: 0, unicode: true, shortId: (id) => id.slice(0, 12) });
    const context = { nowMs: NOW, rows: 40, description, status: null, story: [], ink };
    const text = screenLines(choices(1), context).lines.join('\n');
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
    const state = startState(results, { page: 'choices', text: 'upload', more: false, scope: null });
    expect(shown(state, { fit })[0]).toBe('"upload": nothing fits; the closest are:');
  });

  it('fits every terminal, whatever keys are pressed', () => {
    const names = [...Object.keys(KEYS), 'a', '日', ' ', '1', '5', '/', 'n', 'N'];
    const random = seededRandom(7);
    for (let round = 0; round < 120; round += 1) {
      const rows = 10 + random(40);
      const columns = 40 + random(170);
      const ink = createInk({ columns, color: round % 2 === 0 ? 0 : 3, unicode: round % 3 > 0 });
      const scope = round % 6 === 0 ? null : round % 2 === 0 ? 'here' : 'everywhere';
      const count = round % 4 === 0 ? 200 : round % 9 === 0 ? 0 : 5;
      const text = 'add a retry to the upload of 部品 '.repeat(1 + (round % 3));
      const page = round % 2 === 0 ? 'choices' : 'list';
      let state = startState(makeResults(count), { page, text, more: true, scope });
      for (let step = 0; step < 12; step += 1) {
        const read = round % 5 === 0 ? null : description;
        state = typeIn(state, STORY(state, read, ink), pick(random, names)).state;
        if (step % 3 === 0) state = withResults(state, state.results, { more: true, scope });
        const context = {
          preferred: round % 8 === 2 ? 'widgets 部品 '.repeat(1 + (round % 3)) : undefined,
          nowMs: Date.parse('2026-03-10T10:00:00Z'),
          ink,
          rows,
          description: read,
          story: STORY(state, read, ink),
          status: round % 7 === 0 ? 'Looking for more' : null,
        };
        const { lines, deepest } = screenLines(state, context);
        expect(lines.length).toBeLessThan(rows);
        expect(deepest).toBeGreaterThanOrEqual(0);
        const wrong = lines.filter((line) => line.includes('\n') || displayWidth(plain(line)) >= columns);
        expect(wrong).toEqual([]);
        if (state.reading === null)
          expect(
            lines.some((line) => /^[❯>] /.test(plain(line))),
            lines.join('\n'),
          ).toBe(true);
      }
    }
  }, 60_000);
});

function plain(line: string): string {
  return line.replace(/\u001b\[[0-9;]*m/g, '');
}

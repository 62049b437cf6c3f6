import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { type Found, type PickerSource, pick } from '../../../src/cli/fork/picker/picker.ts';
import { createTerminal, type OutputStream } from '../../../src/cli/terminal/terminal.ts';
import { makeResults } from '../../app/fork/results.ts';

const [ORIGINAL, OTHER] = makeResults(2).map((result, at) => ({
  ...result,
  title: at === 0 ? 'the original session' : 'a foreign session',
}));
const ANVIL: Found = { results: OTHER ? [OTHER] : [], more: false, shortId: (id) => id.slice(0, 8) };

let stop = new AbortController();
afterEach(() => stop.abort());

/** The picker on streams. Searches are answered when the test does it. */
function open() {
  stop = new AbortController();
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr: OutputStream & PassThrough = Object.assign(new PassThrough(), { columns: 110, rows: 30 });
  // The prompt ends it; the real one stays open.
  stderr.end = () => stderr;
  let screen = '';
  stderr.on('data', (data) => {
    const text = String(data);
    if (text.includes('Esc ')) screen = text;
  });
  const asked: { text: string; scope: unknown; answer(found: Found): void }[] = [];
  const source: PickerSource = {
    page: 'choices',
    query: 'original',
    scope: 'everywhere',
    nowMs: 0,
    results: ORIGINAL ? [ORIGINAL] : [],
    more: false,
    fit: { level: 'nothing', text: 'nothing fits; the closest are' },
    shortId: (id) => id.slice(0, 8),
    describe: () => Promise.race([]),
    marks: () => () => [],
    find: (text, scope) => new Promise((answer) => asked.push({ text, scope, answer })),
  };
  const terminal = createTerminal({
    stdout: stderr,
    stderr,
    stdin,
    env: { LANG: 'C.UTF-8' },
    platform: 'linux',
  });
  const done = pick(source, terminal, stop.signal);
  const press = async (key: string, ms = 20) => {
    stdin.write(key);
    await wait(ms);
  };
  return { asked, press, done, screen: () => screen };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Readline waits for the rest of a sequence. */
const ESC_MS = 600;
const ESC = '\u001b';

it('shows nothing among the choices that the list searched for', async () => {
  const { asked, press, screen, done } = open();
  await wait(50);
  expect(screen()).toContain('"original": nothing fits; the closest are:');
  await press('x');
  expect(asked.map(({ text }) => text)).toEqual(['x']);
  await press(ESC, ESC_MS);
  asked[0]?.answer(ANVIL);
  await wait(50);
  expect(screen()).toContain('the original session');
  expect(screen()).not.toMatch(/a foreign session|Searching/);
  await press('1');
  expect((await done).picked).toMatchObject({ kind: 'session', result: { title: 'the original session' } });
});

it('restores the scope and the header of the choices behind the list', async () => {
  const { asked, press, screen } = open();
  await wait(50);
  await press('x');
  asked[0]?.answer(ANVIL);
  await press('\t');
  expect(asked[1]).toMatchObject({ text: 'x', scope: 'here' });
  asked[1]?.answer(ANVIL);
  await wait(20);
  expect(screen()).toContain('a foreign session');
  await press(ESC, ESC_MS);
  expect(screen()).toContain('"original": nothing fits; the closest are:');
  expect(screen()).toMatch(/all repositories[\s\S]*the original session[\s\S]*Tab this repository/);
});

it('says no more that it searches when a newer search is done', async () => {
  const { asked, press, screen } = open();
  await wait(50);
  await press('x');
  await press('y', 150);
  expect(asked.map(({ text }) => text)).toEqual(['x', 'xy']);
  asked[1]?.answer(ANVIL);
  await wait(300);
  expect(screen()).toContain('1 found');
  expect(screen()).not.toContain('Searching');
});

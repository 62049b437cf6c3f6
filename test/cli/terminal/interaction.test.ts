import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from '../../../src/cli/terminal/pager.ts';
import { waitFor } from '../../../src/cli/terminal/progress/spinner.ts';
import { askSecret, confirm } from '../../../src/cli/terminal/prompt.ts';
import { type FakeTerminal, fakeTerminal } from '../../support/fake-streams.ts';

const LONG = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
const PATH = process.env.PATH;

describe.skipIf(process.platform === 'win32')('page', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'smart-fork-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('pipes long text into $PAGER', async () => {
    const terminal = fakeTerminal();
    await page(LONG, terminal, { PATH, PAGER: `cat > '${folder}/paged'` });
    expect(await readFile(join(folder, 'paged'), 'utf8')).toBe(`${LONG}\n`);
    expect(terminal.stdoutStream.text).toBe('');
  });

  it('prefers $SMART_FORK_PAGER to $PAGER', async () => {
    await page(LONG, fakeTerminal(), { PATH, PAGER: 'false', SMART_FORK_PAGER: `cat > '${folder}/mine'` });
    expect(await readFile(join(folder, 'mine'), 'utf8')).toBe(`${LONG}\n`);
  });

  it('runs less with colours, quitting if the text fits on the screen', async () => {
    await page(LONG, fakeTerminal(), { PATH, PAGER: `printf %s "$LESS" > '${folder}/less'` });
    expect(await readFile(join(folder, 'less'), 'utf8')).toBe('FRX');
  });

  it.each([
    ['the text fits on the screen', 'short', {}, {}],
    ['stdout is not a terminal', LONG, { isTTY: false }, {}],
    ['the pager is cat', LONG, {}, { PAGER: 'cat' }],
    ['the pager is empty', LONG, {}, { PAGER: '' }],
    ['the pager does not exist', LONG, {}, { PAGER: 'no-such-pager-here 2>/dev/null' }],
    ['less is not installed', LONG, {}, { PATH: '/nowhere' }],
  ])('prints without a pager if %s', async (_name, text, options, env) => {
    const terminal = fakeTerminal(options);
    await page(text, terminal, { PATH, ...env });
    expect(terminal.stdoutStream.text).toBe(`${text}\n`);
  });

  it('accepts a pager that quits before reading everything', async () => {
    const terminal = fakeTerminal();
    await page('x'.repeat(80).concat('\n').repeat(50_000), terminal, {
      PATH,
      PAGER: 'head -c 10 >/dev/null',
    });
    expect(terminal.stdoutStream.text).toBe('');
  });

  it('does not execute the paged text', async () => {
    await page(`$(touch ${folder}/owned)\n`.repeat(50), fakeTerminal(), { PATH, PAGER: 'cat >/dev/null' });
    await expect(readFile(join(folder, 'owned'))).rejects.toThrow('ENOENT');
  });

  it('restores the handlers of Ctrl-C after the pager', async () => {
    const before = process.listenerCount('SIGINT');
    await page(LONG, fakeTerminal(), { PATH, PAGER: 'cat >/dev/null' });
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

describe('confirm', () => {
  it('refuses to ask without a terminal, and says what to do instead', async () => {
    const terminal = fakeTerminal({ isTTY: false });
    await expect(confirm('Go on?', { terminal, defaultYes: true, hint: 'Add --yes.' })).rejects.toMatchObject(
      {
        code: 'USAGE',
        message: 'cannot ask for confirmation: not a terminal',
        hint: 'Add --yes.',
      },
    );
  });

  it.each([
    ['y\r', false, true],
    ['n\r', true, false],
    ['\r', true, true],
    ['\r', false, false],
    ['\x03', true, false],
  ])('interprets %j with default %j as %j', async (keys, defaultYes, expected) => {
    const terminal = fakeTerminal();
    expect(await answered(terminal, keys, defaultYes)).toBe(expected);
    expect(terminal.stderrStream.text).toContain('Index 156 sessions?');
    expect(terminal.stdoutStream.text).toBe('');
  });
});

it('treats SIGTERM at a question as no', async () => {
  const terminal = fakeTerminal();
  const before = process.listeners('SIGTERM');
  const answer = confirm('Index 156 sessions?', { terminal, defaultYes: true });
  while (!terminal.stderrStream.text.includes('Index 156 sessions?')) await delay(5);
  const added = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  for (const listener of added) listener('SIGTERM');
  expect(await answer).toBe(false);
  expect(process.listeners('SIGTERM')).toEqual(before);
});

describe('askSecret', () => {
  const asked = async (terminal: FakeTerminal, keys: string) => {
    const answer = askSecret('Passphrase', { terminal, signal: new AbortController().signal });
    // It may reject before it is awaited.
    answer.catch(() => undefined);
    while (!terminal.stderrStream.text.includes('Passphrase')) await delay(5);
    terminal.stdinStream.write(keys);
    return answer;
  };

  it('reads a secret and echoes asterisks', async () => {
    const terminal = fakeTerminal();
    expect(await asked(terminal, 'open sesame\r')).toBe('open sesame');
    expect(terminal.stderrStream.text).toContain('***');
    expect(terminal.stderrStream.text).not.toContain('sesame');
    expect(terminal.stdoutStream.text).toBe('');
  });

  it('returns no secret after Ctrl-C', async () => {
    await expect(asked(fakeTerminal(), 'open\x03')).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('waitFor', () => {
  it('shows no spinner for a short wait', async () => {
    const terminal = fakeTerminal();
    expect(await waitFor(Promise.resolve(7), { terminal, text: 'Searching' })).toBe(7);
    expect(terminal.stderrStream.text).toBe('');
  });

  it('shows a spinner for a long wait, and erases it', async () => {
    const terminal = fakeTerminal();
    const told = async () => {
      while (!terminal.stderrStream.text.includes('Searching')) await delay(5);
    };
    await waitFor(told(), { terminal, text: 'Searching' });
    const { length } = terminal.stderrStream.text;
    await delay(200);
    expect(terminal.stderrStream.text).toHaveLength(length);
  });

  it('rethrows the failure of the promise it waits for', async () => {
    const work = Promise.reject(new Error('away'));
    await expect(waitFor(work, { terminal: fakeTerminal(), text: 'Searching' })).rejects.toThrow('away');
  });

  it('shows no spinner if stderr is not a terminal', async () => {
    const terminal = fakeTerminal({ isTTY: false });
    await waitFor(delay(1200), { terminal, text: 'Searching' });
    expect(terminal.stderrStream.text).toBe('');
  });
});

async function answered(terminal: FakeTerminal, keys: string, defaultYes: boolean): Promise<boolean> {
  const answer = confirm('Index 156 sessions?', { terminal, defaultYes });
  while (!terminal.stderrStream.text.includes('156')) await delay(5);
  terminal.stdinStream.write(keys);
  return answer;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

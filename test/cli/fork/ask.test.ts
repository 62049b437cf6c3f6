import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROGRAM, ThrowawayHome } from '../../support/machines/init-cli.ts';
import { ORIGIN, piHead, piSession, writeRows } from '../../support/transcripts/small-agents.ts';

let home: ThrowawayHome;
beforeEach(async () => {
  home = new ThrowawayHome();
  home.write('project/.keep', '');
  writeRows(home.at(`.pi/agent/sessions/--x--/2026-07-01T09-00-00-000Z_${ORIGIN}.jsonl`), [
    { ...piHead(ORIGIN), cwd: home.at('project') },
    ...piSession(),
  ]);
  await home.cli(['index']);
});
afterEach(() => home.remove());

/** A program that notes its words and a copy of the session it opens, and then does what `script` says. */
function givePi(script: string): void {
  home.write(
    'bin/pi',
    `#!/bin/sh\n[ "$1" = --version ] && exit 0\nprintf '%s\\n' "$@" > ${home.at('words')}\n${script}\n`,
  );
  chmodSync(`${home.bin}/pi`, 0o755);
}

it.skipIf(process.platform === 'win32')('prints the answer of a fork, and deletes the fork', async () => {
  givePi('echo "It was red."');
  const before = home.snapshot('.pi');
  const { code, out, err } = await home.cli(['ask', ORIGIN, 'Which colour?', '--at', '1']);
  expect(code).toBe(0);
  expect(out).toMatch(/^It was red\.\n\n.* · Pi · 5e551000.* · up to turn 1\n$/);
  expect(err).toContain('Pi sends about 115 tokens of context to its model');
  const words = readFileSync(home.at('words'), 'utf8').trim().split('\n');
  expect(words.slice(2)).toEqual(['--tools', 'read,grep,find,ls', '-p', 'Which colour?']);
  expect(words[1]).not.toContain(ORIGIN);
  expect(home.snapshot('.pi')).toEqual(before);
});

it.skipIf(process.platform === 'win32')('says in words that the agent is not logged in', async () => {
  givePi('echo "No API key found for the selected model." >&2; exit 1');
  const before = home.snapshot('.pi');
  const { code, err } = await home.cli(['ask', ORIGIN, 'Which colour?']);
  expect(code).toBe(2);
  expect(err).toContain('Pi is not logged in: No API key found');
  expect(home.snapshot('.pi')).toEqual(before);
});

it.skipIf(process.platform === 'win32')('does not pass a question on as an option of the agent', async () => {
  givePi('echo Yes.');
  const { code } = await home.cli(['ask', ORIGIN, '--', '--tools bash']);
  expect(code).toBe(0);
  expect(readFileSync(home.at('words'), 'utf8').split('\n').slice(-2)).toEqual([' --tools bash', '']);
});

it.skipIf(process.platform === 'win32')(
  'deletes the fork after the agent has written its last line',
  async () => {
    givePi(
      `fork=$(find ${home.at('.pi')} -name "*$(basename "$2" .jsonl)*")\ntrap 'sleep 1; echo last >> "$fork"; exit 1' TERM\ntouch ${home.at('started')}\nwhile :; do sleep 0.1; done`,
    );
    const before = home.snapshot('.pi');
    const child = spawn(process.execPath, [PROGRAM, 'ask', ORIGIN, 'Which colour?'], {
      cwd: home.folder,
      env: home.environment(),
      stdio: 'ignore',
    });
    await expect.poll(() => existsSync(home.at('started')), { timeout: 20_000 }).toBe(true);
    child.kill('SIGINT');
    await once(child, 'close');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(home.snapshot('.pi')).toEqual(before);
  },
);

it.skipIf(process.platform === 'win32')('takes no word of a failed answer for a missing login', async () => {
  givePi('echo "Two files:"; echo "The author is in auth.ts."; echo "cannot read auth.ts" >&2; exit 1');
  const { code, err } = await home.cli(['ask', ORIGIN, 'Which files?']);
  expect(code).toBe(2);
  expect(err).toContain('error: Pi gave no answer: Two files:');
});

it('says how to install the agent, before it speaks of costs', async () => {
  const { code, err } = await home.cli(['ask', ORIGIN, 'Which colour?']);
  expect(code).toBe(1);
  expect(err).toMatch(/^error: pi is not on PATH\nhint: Install it: npm install -g \S+\n$/);
});

it('names the error of a program that is not installed', async () => {
  const { code, out, err } = await home.cli(['ask', ORIGIN, 'Which colour?', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out || err)).toEqual({
    error: {
      code: 'AGENT_MISSING',
      message: 'pi is not on PATH',
      hint: expect.stringMatching(/^Install it: npm install -g \S+$/),
    },
  });
  const forked = await home.cli(['fork', ORIGIN, '--exec']);
  expect(forked.code).toBe(1);
  expect(forked.err).toMatch(/error: pi is not on PATH\nhint: Install it: npm install -g \S+\n$/);
});

it('calls the question by its place on the command line', async () => {
  const { code, err } = await home.cli(['ask', ORIGIN, '']);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: question needs a value\n/);
});

it('starts nothing for an agent that cannot be asked', async () => {
  home.write('.copilot/session-state/x/events.jsonl', '');
  const { code, err } = await home.cli(['ask', 'no-such-session', 'Which colour?']);
  expect(code).toBe(1);
  expect(err).toContain('no-such-session');
  expect(existsSync(home.at('words'))).toBe(false);
});

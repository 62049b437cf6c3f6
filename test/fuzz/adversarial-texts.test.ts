import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ADVERSARIAL_TEXTS } from '../support/adversarial-texts.ts';
import { everyNth, rounds } from '../support/campaign.ts';
import { memoryFolder } from '../support/files/temp-folder.ts';
import { runCli } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const LONG = rounds({ quick: 128 * 1024, slow: 1024 * 1024 });
const TEXTS = everyNth(16, Object.entries(ADVERSARIAL_TEXTS));
/** Four times the text may take at most eight times as long; a quadratic step takes sixteen. */
const MAX_RATIO = 8;
/** Shorter times mostly consist of starting and compiling. */
const FLOOR_MS = 400;
/** A message's text is truncated at 64,000 UTF-16 units. */
const MESSAGE = 60_000;

describe('texts that are slow for regular expressions', () => {
  for (const [name, make] of TEXTS) {
    it(`index, search, show and retrieve take linear time over ${name}`, { timeout: 900_000 }, async () => {
      let measured = '';
      // The machine may be busy during one attempt.
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const short = await timeOf(make, LONG / 4);
        const long = await timeOf(make, LONG);
        measured = `${Math.round(short)} ms for ${LONG / 4} characters, ${Math.round(long)} ms for ${LONG}`;
        if (process.env.SMART_FORK_TEST_TABLE !== undefined) console.log(`${name}: ${measured}`);
        if (long <= Math.max(short, FLOOR_MS) * MAX_RATIO) return;
      }
      expect.fail(measured);
    });
  }
});

/** Milliseconds for a session with the text in one message of each speaker, and again in messages that are not truncated. */
async function timeOf(make: (length: number) => string, length: number): Promise<number> {
  const world = createWorld(memoryFolder('adversarial'));
  const whole = make(length);
  const parts = Array.from({ length: Math.ceil(length / MESSAGE) }, (_, at) => [
    line.user(`part ${at} ${make(Math.min(MESSAGE, length))}`),
    line.assistant(make(Math.min(MESSAGE, length))),
  ]);
  const lines = [line.user(`turbine ${whole}`), line.assistant(`${whole} turbine`), ...parts.flat()];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines));
  const started = performance.now();
  for (const words of [
    ['index', '--no-embed'],
    ['search', 'turbine part'],
    ['show', SESSION_ID],
    ['retrieve', SESSION_ID, '--query', 'turbine'],
  ])
    expect(await runCli(world, words), words[0]).toMatchObject({ status: 0 });
  const time = performance.now() - started;
  rmSync(world.folder, { recursive: true, force: true });
  return time;
}

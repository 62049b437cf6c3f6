import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryFolder } from '../support/files/temp-folder.ts';
import { runCli } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const LONG = 400_000;
/** Four times the text may take at most eight times as long; a quadratic step takes sixteen. */
const MAX_RATIO = 8;
/** Shorter times mostly consist of starting and compiling. */
const FLOOR_MS = 500;
const PARTS = [' ', 'a/', '/', '\\', '-', '.', '@a', '://a:', '[', '"', ' |', '# ', ' -x '];

describe('long texts beside the conversation', () => {
  it.each(PARTS)(
    'are indexed in linear time, and the session is found: %j',
    { timeout: 300_000 },
    async (part) => {
      let measured = '';
      // The machine may be busy during one attempt.
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const [short, long] = [await timeOf(part, LONG / 4), await timeOf(part, LONG)];
        if (long <= Math.max(short, FLOOR_MS) * MAX_RATIO) return;
        measured = `${Math.round(short)} ms for ${LONG / 4} characters, ${Math.round(long)} for ${LONG}`;
      }
      expect.fail(measured);
    },
  );

  it.each(PARTS)('are read from the files of a repository: %j', { timeout: 120_000 }, async (part) => {
    const text = part.repeat(LONG / part.length);
    for (const [name, content] of Object.entries({
      'a value': `[remote "origin"]\n\turl = x${text}y\n`,
      'a header': `[remote "${text}x\n[${text}x\n[remote "origin"]\n\turl = x${text}\n`,
      'a comment': `[remote "origin"]\n\turl = x ${text}#\n`,
    })) {
      const world = createWorld(memoryFolder('fields'));
      const repository = join(world.folder, 'repository');
      mkdirSync(repository);
      execFileSync('git', ['init', '-q', repository]);
      writeFileSync(join(repository, '.git', 'config'), content);
      writeFileSync(join(repository, '.git', 'HEAD'), `ref: refs/heads/${text}x`);
      writeFileSync(join(repository, '.git', 'commondir'), `${text}x`);
      writeClaude(world.claudeHome, SESSION_ID, stampLines([line.user('turbine')], { cwd: repository }));
      expect([name, await indexed(world)]).toEqual([name, 1]);
      rmSync(world.folder, { recursive: true, force: true });
    }
  });
});

/** Milliseconds of processor time for a session whose folder, branch, titles and calls are long. */
async function timeOf(part: string, length: number): Promise<number> {
  const world = createWorld(memoryFolder('fields'));
  const text = `x${part.repeat(length / part.length)}y`;
  const lines = [
    line.user('turn the turbine'),
    line.call(text, { file_path: text, command: text }),
    line.call('Bash', { command: `git ${text}` }, 'toolu_2'),
    line.result(text, 'toolu_2'),
    line.call('Edit', { file_path: `/${text}` }, 'toolu_3'),
    line.customTitle(text),
    line.aiTitle(text),
    line.summary(text),
  ];
  const options = { cwd: `/${text}`, branch: text, version: text };
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, options), 'fields');
  const started = process.cpuUsage();
  expect(await indexed(world)).toBe(1);
  const { user, system } = process.cpuUsage(started);
  rmSync(world.folder, { recursive: true, force: true });
  return (user + system) / 1000;
}

async function indexed(world: ReturnType<typeof createWorld>): Promise<number> {
  const { stdout } = await runCli(world, ['index', '--no-embed', '--json']);
  return (JSON.parse(stdout) as { indexed: number }).indexed;
}

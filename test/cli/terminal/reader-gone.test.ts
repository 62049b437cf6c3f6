import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cliEnvironment, PROGRAM } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';

/** What a program writes to stderr if nobody reads its output, from the beginning. */
async function errorsOf(words: string[], input = ''): Promise<string> {
  const world = createWorld();
  const child = spawn(process.execPath, words, { cwd: world.folder, env: cliEnvironment(world) });
  child.stdout.destroy();
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors += piece;
  });
  const timer = setTimeout(() => child.stdin.end(), input === '' ? 0 : 3000);
  await once(child, 'close');
  clearTimeout(timer);
  return errors;
}

describe('a reader that has gone', () => {
  it.each([
    ['--version'],
    ['--help'],
    ['search --help'],
    ['completion bash'],
    ['nothing --json'],
    ['stats --json'],
  ])('leaves no stack trace: %s', { timeout: 60_000 }, async (words) => {
    const errors = await errorsOf([PROGRAM, ...words.split(' ')]);
    expect(errors).not.toMatch(/EPIPE|\n +at /);
  });

  it('leaves no stack trace of the MCP server, nor of the one that answers before it is prepared', async () => {
    const hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n';
    expect(await errorsOf([PROGRAM, 'mcp'], hello)).not.toMatch(/EPIPE|\n +at /);
    const file = pathToFileURL(
      resolve(import.meta.dirname, '../../../plugin/server/answer-meanwhile.mjs'),
    ).href;
    const script = `import(${JSON.stringify(file)}).then(({ answerMeanwhile }) =>
      answerMeanwhile({ state: () => 'preparing', tell: () => '' }, () => undefined))`;
    expect(await errorsOf(['-e', script], hello)).toBe('');
  }, 60_000);
});

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliEnvironment, PROGRAM, runJson } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

it.skipIf(!existsSync('/usr/bin/script')).each(['index', 'reindex --yes'])(
  'gives a terminal its prompt back after the keyword indexing of %s, and embeds with the worker',
  async (command) => {
    const world = createWorld();
    const env = { SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'model')) };
    const lines = [line.user('Mend the login of the harbor'), line.assistant('It is mended.')];
    writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
    const out = execFileSync(
      'script',
      ['-qec', `'${process.execPath}' '${PROGRAM}' ${command}`, '/dev/null'],
      {
        cwd: world.folder,
        env: cliEnvironment(world, env),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(out).toContain('Indexed 1 of 1 transcript');
    expect(out).toContain('in the background');
    expect(
      existsSync(join(world.home, 'worker.starting')) || existsSync(join(world.home, 'worker.json')),
    ).toBe(true);
    const embedded = async () => {
      const { vectors, waiting } = (await runJson(world, ['stats'], { env })) as {
        vectors: number;
        waiting: { intents: number; chunks: number };
      };
      return vectors > 0 && waiting.intents + waiting.chunks === 0;
    };
    await expect.poll(embedded, { timeout: 60_000, interval: 500 }).toBe(true);
    const { worker } = (await runJson(world, ['status'], { env })) as { worker: { record: { pid: number } } };
    process.kill(worker.record.pid);
    await expect.poll(() => isRunning(worker.record.pid), { timeout: 60_000 }).toBe(false);
  },
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

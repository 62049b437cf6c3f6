import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/claude-transcripts.ts';
import { runCli } from '../../support/cli.ts';
import { writeTinyModel } from '../../support/tiny-model.ts';
import { createWorld } from '../../support/world.ts';

it('embeds without letting the runtime report it: nothing of its telemetry is left in the home', async () => {
  const world = createWorld();
  const model = await writeTinyModel(join(world.folder, 'model'));
  const lines = [line.user('Mend the login'), line.assistant('It is mended.')];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
  const { status, stdout } = await runCli(world, ['index', '--json'], {
    env: { SMART_FORK_MODEL_DIR: model },
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ indexed: 1, waiting: { intents: 0, chunks: 0 } });
  expect(existsSync(join(world.folder, '.cache'))).toBe(false);
  expect(readdirSync(world.folder).sort()).toEqual(['claude', 'home', 'model', 'tmp']);
});

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

it('embeds without leaving onnxruntime telemetry in the home folder', async () => {
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

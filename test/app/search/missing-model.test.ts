import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, versionOf } from '../../../src/adapters/sqlite/database/open-database.ts';
import { loadConfig, openSmartFork } from '../../../src/index.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { connect } from '../../support/machines/mcp-world.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const NOTHING = ['search', 'zanzibar gauge'];
const ADVICE = 'keyword only: the model is not installed: smart-fork model pull';

let world: World;
beforeEach(() => {
  world = createWorld();
  const lines = [line.user('Turn the valve of the harbor'), line.assistant('It is turned.')];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
});

describe('a model that was never installed', () => {
  it('mentions a model that was never installed once a day in search, and always in status and doctor', async () => {
    await runCli(world, ['index']);
    const first = await runCli(world, NOTHING);
    expect(first.stdout).toContain(ADVICE);
    expect((await runCli(world, NOTHING)).stdout).not.toContain('model pull');
    expect((await runJson(world, NOTHING)).notices).toMatchObject([{ code: 'KEYWORD_ONLY' }]);
    for (const _ of [1, 2]) {
      expect((await runCli(world, ['status'])).stdout).toMatch(
        /Model +\S+ is not installed; keyword\s+search/,
      );
      expect((await runCli(world, ['doctor'])).stdout).toMatch(/Model +\S+ is not installed/);
    }
    expect((await runJson(world, ['status'])).model).toMatchObject({ status: 'note' });
  });

  it('is mentioned in every search without a fitting result', async () => {
    const others = [line.user('Paint the harbor'), line.assistant('It is painted.')];
    const sessionId = SESSION_ID.replace(/^./, 'f');
    writeClaude(world.claudeHome, sessionId, stampLines(others, { sessionId }));
    await runCli(world, ['index']);
    for (const _ of [1, 2]) {
      const { stdout } = await runCli(world, ['search', 'harbor zanzibar gauge mortgage']);
      expect(stdout).toMatch(
        /^"harbor zanzibar gauge mortgage": (?:nothing fits|probably not here); the closest are:/,
      );
      expect(stdout).toContain(ADVICE);
    }
  });

  it('is mentioned once a day in fork_detect', async () => {
    await runCli(world, ['index']);
    const server = await connect({ ...world.env, PATH: process.env.PATH ?? '' }, world.folder, {});
    const ask = async () =>
      (await server.call('fork_detect', { intent: 'turn the valve' })).structured.warnings;
    expect(await ask()).toEqual([expect.stringContaining('the model is not installed')]);
    expect(await ask()).toBeUndefined();
    await server.close();
  });
});

describe('the model of the index’s vectors', () => {
  it('is used again where neither a setting nor the default model names another', async () => {
    const folder = await writeTinyModel(join(world.folder, 'tiny'));
    await runCli(world, ['index', '--embed'], { env: { SMART_FORK_MODEL_DIR: folder } });
    expect((await runJson(world, ['search', 'turn the valve'])).mode).toBe('hybrid');
    const later = [line.user('Paint the harbor'), line.assistant('It is painted.')];
    const sessionId = SESSION_ID.replace(/^./, 'e');
    writeClaude(world.claudeHome, sessionId, stampLines(later, { sessionId }));
    expect(await runJson(world, ['index', '--embed'])).toMatchObject({
      indexed: 1,
      waiting: { chunks: 0, intents: 0 },
    });
  });

  it('names the index’s missing model in every search, with the folder where it was last found', async () => {
    const folder = await writeTinyModel(join(world.folder, 'tiny'));
    const env = { SMART_FORK_MODEL_DIR: folder };
    await runCli(world, ['index', '--embed'], { env });
    expect((await runJson(world, NOTHING, { env })).mode).toBe('hybrid');
    renameSync(folder, `${folder}-elsewhere`);
    for (const _ of [1, 2]) {
      const { stdout } = await runCli(world, ['search', 'turn the valve']);
      expect(stdout.replace(/\s+/g, ' ')).toMatch(
        /keyword only: the index was embedded with \S+ \(last found in \S*\/tiny\), which is not found here: set SMART_FORK_MODEL_DIR=\S*\/tiny/,
      );
    }
    expect((await runJson(world, ['search', 'turn the valve'])).notices).toMatchObject([
      { code: 'MODEL_MISSING' },
    ]);
    const check = expect.objectContaining({
      name: 'Model',
      status: 'warn',
      fix: `set SMART_FORK_MODEL_DIR=${folder}`,
    });
    expect((await runJson(world, ['status'])).model).toEqual(check);
    expect((await runJson(world, ['doctor'])).checks).toContainEqual(check);
    const dense = await runCli(world, ['search', 'turn the valve', '--mode', 'dense']);
    expect(dense.status).toBe(1);
    expect(dense.stderr).toContain(`set SMART_FORK_MODEL_DIR=${folder}`);
  });

  it('names the index’s model in doctor and status if another model is configured', async () => {
    const env = { SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'tiny')) };
    await runCli(world, ['index', '--embed'], { env });
    const other = {
      SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'other'), { dimensions: 8 }),
    };
    const named = {
      name: 'Model',
      status: 'fail',
      message: expect.stringMatching(
        /^the index was embedded with \S*tiny \(last found in \S+\/tiny\), but the model here is \S*other$/,
      ),
      fix: expect.stringMatching(
        /^set SMART_FORK_MODEL_DIR=\S+\/tiny, or rebuild the index: smart-fork reindex$/,
      ),
    };
    expect((await runJson(world, ['status'], { env: other })).model).toEqual(named);
    expect((await runJson(world, ['doctor'], { env: other })).checks).toContainEqual(named);
  });
});

it('does not take a store of a newer version for a missing model', async () => {
  const env = { SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'tiny')) };
  await runCli(world, ['index', '--embed'], { env });
  const library = await openSmartFork(await loadConfig({ ...world.env, ...env }));
  onTestFinished(() => library.close());
  expect(await library.search({ query: 'valve' })).toMatchObject({ mode: 'hybrid', notices: [] });
  // The newer version keeps its vectors elsewhere: only keywords could still be searched.
  const database = openDatabase(join(world.home, 'index.db'));
  database.exec(`DROP TABLE signs; PRAGMA user_version = ${versionOf(database) + 1}`);
  database.close();
  await expect(library.search({ query: 'valve' })).rejects.toMatchObject({
    code: 'STORE_INCOMPATIBLE',
    message: expect.stringContaining('was updated while this program was running'),
  });
});

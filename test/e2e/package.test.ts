import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliEnvironment } from '../support/machines/cli.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

/** The packed program as npm installs it: its own files and dependencies, without development dependencies. */
let program: string;
const folder = mkdtempSync(join(tmpdir(), 'smart-fork-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    env: { ...process.env, npm_config_cache: join(folder, 'cache'), HOME: folder },
  });
  execFileSync('tar', ['-xzf', join(folder, 'smart-fork-0.1.0.tgz'), '-C', folder]);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const link = join(folder, 'package', 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', name), link);
  }
  program = join(folder, 'package', 'dist', 'bin.cjs');
});

function run(world: World, words: string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, [program, ...words], {
    cwd: world.folder,
    env: cliEnvironment(world, env),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

describe('the packed program', () => {
  it('indexes, finds and forks without onnxruntime-node, and says that it is missing', async () => {
    const world = createWorld();
    const lines = [line.user('Mend the login of the harbor'), line.assistant('It is mended.')];
    writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
    const model = { SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'model')) };
    expect(JSON.parse(run(world, ['index', '--json'], model))).toMatchObject({ indexed: 1 });
    const found = JSON.parse(run(world, ['search', '--json', 'harbor', 'login'], model));
    expect(found.results[0].session_id).toBe(SESSION_ID);
    expect(found.notices[0].message).toBe('keyword only: onnxruntime-node is not installed');
    expect(run(world, ['fork', SESSION_ID, '--print'], model)).toMatch(
      /^cd \S+ && claude --resume \S+ --fork-session\n$/,
    );
    const { checks } = JSON.parse(run(world, ['doctor', '--json'], model));
    expect(checks).toContainEqual({
      name: 'Model',
      status: 'note',
      message: 'onnxruntime-node, which runs the model, is not installed; keyword search only',
      fix: 'smart-fork model pull',
    });
  });

  it('uses no npm setting unknown to npm', () => {
    expect(readFileSync('.npmrc', 'utf8').match(/^[\w-]+/gm)).toEqual(['fund', 'audit']);
  });
});

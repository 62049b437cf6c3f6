import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliEnvironment } from '../support/machines/cli.ts';
import { startNpmRegistry } from '../support/machines/npm-registry.ts';
import { pack } from '../support/machines/pack.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const isWindows = process.platform === 'win32';
const folder = mkdtempSync(join(tmpdir(), 'smart-fork-package-'));
const prefix = join(folder, 'prefix');
const program = isWindows ? join(prefix, 'smart-fork.cmd') : join(prefix, 'bin', 'smart-fork');
const home = join(prefix, isWindows ? '' : 'lib', 'node_modules', 'smart-fork');

beforeAll(async () => {
  const registry = await startNpmRegistry();
  const words = ['install', '--global', '--prefix', prefix, '--registry', registry.url, pack('.', folder)];
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), HOME: folder };
  await promisify(execFile)('npm', words, { env, shell: isWindows });
  registry.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function environment(world: World, env: Record<string, string> = {}): Record<string, string> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return { ...cliEnvironment(world, env), PATH: path };
}

function run(world: World, words: string[], env: Record<string, string> = {}): string {
  return execFileSync(program, words, {
    cwd: world.folder,
    env: environment(world, env),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: isWindows,
  });
}

describe('the program installed from its package', () => {
  it('says its version, and ships what it needs and the licences of what it contains', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(run(createWorld(), ['--version'])).toBe(`${version}\n`);
    for (const path of ['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt', 'plugin/hooks/hooks.json'])
      expect(existsSync(join(home, path)), path).toBe(true);
    expect(readdirSync(join(home, 'plugin/skills'))).toEqual(readdirSync('skills'));
  });

  it('shows the demo, and leaves nothing in the home folder', () => {
    const world = createWorld();
    const shown = run(world, ['demo', 'payments are booked twice']);
    expect(shown).toContain('Book each payment webhook exactly once');
    expect(shown).toMatch(/claude --resume \S+ --fork-session/);
    expect(existsSync(world.home)).toBe(false);
    expect(readdirSync(join(world.folder, 'tmp'))).toEqual([]);
  });

  it.skipIf(isWindows)('serves MCP', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const world = createWorld();
    const start = { command: program, args: ['mcp'], cwd: world.folder, env: environment(world) };
    await client.connect(new StdioClientTransport({ ...start, stderr: 'ignore' }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('fork_detect');
    await client.close();
  });

  it('is a library too', () => {
    const words = [
      '--input-type=module',
      '--eval',
      `import { openSmartFork } from 'smart-fork'; console.log(typeof openSmartFork)`,
    ];
    const cwd = home;
    expect(execFileSync(process.execPath, words, { cwd, encoding: 'utf8' })).toBe('function\n');
  });

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

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cliEnvironment } from '../support/machines/cli.ts';
import { runHere } from '../support/machines/run-here.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

// Reading and compiling them takes most of a short command's time.
describe('the files that a command loads', () => {
  it('loads few and small files for a keyword search', async () => {
    const world = createWorld();
    const lines = [line.user('Repair the login of the harbor'), line.assistant('It works again.')];
    writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
    await runHere(['index', '--no-embed'], { cwd: world.folder, env: cliEnvironment(world) });
    // A built-in model, installed.
    const model = join(world.folder, 'all-MiniLM-L6-v2');
    await writeTinyModel(model);
    writeFileSync(join(model, 'config.json'), '{"hidden_size":384}');
    const files = loadedFiles(world, ['search', 'harbor', '--mode', 'keyword'], {
      SMART_FORK_MODEL_DIR: model,
    });
    expect(sizeOf(files)).toBeLessThan(530_000);
    expect(files.length).toBeLessThan(8);
    expect(files.filter((text) => text.includes('qdrant-js'))).toEqual([]);
  });

  it('has nothing in its hooks that could ask a server', () => {
    for (const file of ['bin.cjs', 'suggest.js']) {
      const text = readFileSync(resolve('dist', file), 'utf8');
      expect(text).toContain('function');
      expect(text).not.toMatch(/\bfetch\(|\/collections\/|node:https?\b/);
    }
  });

  it.each(['--version', '--help'])('loads nothing of the commands for %s', (option) => {
    const files = loadedFiles(createWorld(), [option]);
    expect(sizeOf(files)).toBeLessThan(40_000);
    expect(files.length).toBeLessThan(6);
  });
});

/** The sources of the program's files that a command loads, as reported by V8. */
function loadedFiles(world: World, words: string[], env: Record<string, string> = {}): string[] {
  const folder = join(world.folder, 'coverage');
  execFileSync(process.execPath, [resolve('dist', 'bin.cjs'), ...words], {
    cwd: world.folder,
    env: cliEnvironment(world, { ...env, NODE_V8_COVERAGE: folder }),
    stdio: 'ignore',
  });
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
  return urls
    .filter((url) => url.startsWith('file:') && fileURLToPath(url).startsWith(resolve('dist')))
    .map((url) => readFileSync(new URL(url), 'utf8'));
}

/** Size in characters, without source maps. */
function sizeOf(files: string[]): number {
  return files.reduce((sum, text) => sum + text.replace(/^\/\/# sourceMappingURL=.*$/m, '').length, 0);
}

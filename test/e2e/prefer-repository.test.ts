import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, cliEnvironment, runCli, runJson } from '../support/machines/cli.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { line, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const QUERY = 'make the websocket reconnect';
/** Makes one more word a small difference. */
const REST = 'it must wait a while, try again, and tell the user when it has given up';

const world = sharedWorld(async (made) => {
  for (const [id, text] of [
    ['api', `Make the websocket reconnect after a break: ${REST}`],
    ['shop', `Make the websocket reconnect after a break: ${REST} today`],
  ] as const) {
    const cwd = join(made.folder, id);
    mkdirSync(join(cwd, '.git'), { recursive: true });
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeClaude(made.claudeHome, id, stampLines([line.user(text)], { sessionId: id, cwd }));
  }
  await runCli(made, ['index', '--no-embed']);
});

const at = (...path: string[]) => join(world().folder, ...path);

async function idsIn(cwd: string, words: string[] = [], options: CliOptions = {}): Promise<string[]> {
  const { stdout } = await runCli(world(), ['search', QUERY, '--ids', ...words], { ...options, cwd });
  return stdout.trim().split('\n');
}

describe('a search in a repository', () => {
  it('shows the current repository’s sessions first among nearly equal results, even from its folders', async () => {
    expect(await idsIn(world().folder)).toEqual(['api', 'shop']);
    expect(await idsIn(at('shop'))).toEqual(['shop', 'api']);
    expect(await idsIn(at('shop', 'src'))).toEqual(['shop', 'api']);
    expect(await idsIn(at('api'))).toEqual(['api', 'shop']);
  });

  it('says in one line that it did, and only if it changed something', async () => {
    const said = /^sessions of shop first · --everywhere turns this off$/m;
    expect((await runCli(world(), ['search', QUERY], { cwd: at('shop') })).stdout).toMatch(said);
    for (const cwd of [at('api'), world().folder])
      expect((await runCli(world(), ['search', QUERY], { cwd })).stdout).not.toContain('--everywhere');
    const explained = await runCli(world(), ['search', QUERY, '--explain'], { cwd: at('shop') });
    expect(explained.stdout).toMatch(/repository +1\.000 +[x×] 0\.05 +0\.050/);
    expect(await runJson(world(), ['search', QUERY], { cwd: at('shop') })).toMatchObject({
      preferred: 'shop',
      results: [{ session_id: 'shop', scores: { parts: { repository: 1 } } }, { session_id: 'api' }],
    });
  });

  it('ranks all repositories alike with --everywhere, and with the setting off', async () => {
    expect(await idsIn(at('shop'), ['--everywhere'])).toEqual(['api', 'shop']);
    const whole = await runJson(world(), ['search', QUERY, '--everywhere'], { cwd: at('shop') });
    expect(whole).not.toHaveProperty('preferred');
    const home = at('other-home');
    mkdirSync(home);
    writeFileSync(join(home, 'config.json'), '{"search": {"prefer_repository": false}}');
    const env = { SMART_FORK_HOME: home };
    await runCli(world(), ['index', '--no-embed'], { env });
    expect(await idsIn(at('shop'), [], { env })).toEqual(['api', 'shop']);
  });

  it('lists the current repository’s sessions first in fork, which accepts --everywhere too', async () => {
    const fork = async (...words: string[]) => {
      const { stdout } = await runCli(world(), ['fork', QUERY, '--json', ...words], { cwd: at('shop') });
      return (JSON.parse(stdout).results as { session_id: string }[]).map(({ session_id }) => session_id);
    };
    expect(await fork()).toEqual(['shop', 'api']);
    expect(await fork('--everywhere')).toEqual(['api', 'shop']);
  });
});

describe('fork_detect', () => {
  it("shows sessions of the agent's project first among nearly equal results, unless a scope is given", async () => {
    const env = { ...cliEnvironment(world()), CLAUDE_PROJECT_DIR: at('shop') } as Record<string, string>;
    const { call, close } = await connect(env, world().folder, {});
    const detect = async (more: object = {}) => {
      const { structured, text } = await call('fork_detect', { intent: QUERY, ...more });
      const ids = structured.results.map(({ session_id }: { session_id: string }) => session_id);
      return { ids, preferred: structured.preferred, text };
    };
    try {
      expect(await detect()).toMatchObject({
        ids: ['shop', 'api'],
        preferred: 'shop',
        text: expect.stringContaining('Sessions of shop first (scope: all ranks all projects alike)'),
      });
      expect(await detect({ scope: 'all' })).toMatchObject({ ids: ['api', 'shop'], preferred: undefined });
      expect(await detect({ project_path: at('api') })).toMatchObject({ ids: ['api'], preferred: undefined });
    } finally {
      await close();
    }
  });
});

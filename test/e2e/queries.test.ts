import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/files/temp-folder.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const world = sharedWorld(async (made) => {
  writeClaude(
    made.claudeHome,
    'one',
    stampLines([line.user('The --force flag of "git push" breaks: why?')], { sessionId: 'one' }),
  );
  await runCli(made, ['index', '--no-embed']);
});

describe('a query', () => {
  it.each([
    [['--force flag breaks']],
    [['-n flag']],
    [['--', '--force', 'flag']],
    [['--', '--limit', 'flag']],
    [['flag', '--', '--force']],
    [['flag:', '"git', 'push"']],
    [['flag', 'AND', 'NOT', '(push', 'OR', '*']],
    [['flag^2', 'NEAR(push)', 'col:val']],
    [["it's", 'flag;', '$(push)', '`flag`']],
    [['404', '007', '1e3', 'flag']],
    [['flag\nwith\ttabs\u0007and bells']],
    [['🙂', 'flag', '日本語']],
  ])('treats a query as keywords: %j', async (words) => {
    const { stdout, status } = await runCli(world(), ['search', '--json', ...words]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).results).toMatchObject([{ session_id: 'one' }]);
  });

  it('lists the newest sessions without the excluded text for only --not', async () => {
    const { stdout } = await runCli(world(), ['search', '--not', 'kubernetes']);
    expect(stdout).toMatch(/^The newest sessions {2}keyword search/);
    expect(stdout).toContain('The --force flag');
    expect((await runCli(world(), ['search', '--not', 'flag'])).stdout).toMatch(
      /^No session found\nUnderstood: not flag\n/,
    );
    expect(await runCli(world(), ['search'])).toMatchObject({ status: 2 });
    expect(await runCli(world(), ['search', '--not', ' '])).toMatchObject({ status: 2 });
  });

  it('names the first phrasing if there is no query', async () => {
    const { stdout } = await runCli(world(), ['search', '--not', 'kubernetes', '--also', 'force flag']);
    expect(stdout).toContain(' for "force flag"');
  });

  it('accepts a query of 100 KB', async () => {
    const response = await runJson(world(), ['search', `flag ${'pasted text '.repeat(9000)}`]);
    expect(response.results).toMatchObject([{ session_id: 'one' }]);
    expect(String(response.query).length).toBeLessThanOrEqual(4000);
  });

  it('accepts further phrasings, which do not swallow the words after them', async () => {
    const also = ['--also', 'force', '--also=--push', 'zebra'];
    const { stdout } = await runCli(world(), ['search', '--json', ...also]);
    expect(JSON.parse(stdout)).toMatchObject({
      query: 'zebra',
      also: ['force', '--push'],
      results: [{ session_id: 'one', scores: { phrasings: [0, 1, 1] } }],
    });
    const explained = await runCli(world(), ['search', '--explain', ...also], { env: { COLUMNS: '40' } });
    expect(explained.stdout).toMatch(/found by +score alone\n +zebra +0\.000\n +force +1\.000\n/);
  });

  it.each([
    [Array(20).fill('x'), '20 further phrasings: at most 4'],
    [['x'.repeat(10_000)], 'phrasing 1 has 10,000 characters: at most 4,000'],
    [['x', ' '], 'phrasing 2 is empty'],
  ])('refuses unusable phrasings: %#', async (also: string[], message) => {
    const words = ['search', 'flag', ...also.flatMap((text) => ['--also', text])];
    const { status, stderr, stdout } = await runCli(world(), words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('prints no control characters from a query', async () => {
    const { stdout } = await runCli(world(), ['search', 'zebra \u001b[31mred\u001b]0;title\u0007']);
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });
});

describe('an exclusion', () => {
  it.each([
    [['flag', '-breaks'], 'not breaks'],
    [['flag -breaks'], 'not breaks'],
    [['flag', '--not', 'git push', '--not', 'zebra'], 'not "git push"'],
    [['flag', '-git push'], 'not "git push"'],
    [['-git push', 'flag'], 'not "git push"'],
    [['-breaks push'], 'not breaks'],
    [['--limit', '3', '-breaks push'], 'not breaks'],
    [['--exclude', 'one', 'flag'], 'not session one'],
  ])('leaves out the excluded session: %j', async (words, said) => {
    const response = await runJson(world(), ['search', ...words]);
    expect(response.results).toEqual([]);
    expect(JSON.stringify(response.understood)).toContain(JSON.stringify(said).slice(1, -1));
  });

  it.each([['--not'], ['--exclude'], ['--repo'], ['--branch']])('needs a value: %s', async (option) => {
    for (const words of [
      ['search', 'flag', option],
      ['search', 'flag', option, ''],
    ]) {
      const { status, stderr, stdout } = await runCli(world(), words);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(`${option} needs a value`);
    }
  });

  it('is a search word with --literal', async () => {
    const response = await runJson(world(), ['search', 'flag', '-breaks', '--literal']);
    expect(response).toMatchObject({ results: [{ session_id: 'one' }], understood: [] });
  });
});

describe('search results on a terminal', () => {
  it('prints results at 20 columns', async () => {
    for (const words of [['search', 'flag'], ['sessions'], ['stats'], ['show', 'one'], ['doctor']]) {
      const { status, stdout } = await runCli(world(), words, { env: { COLUMNS: '20' } });
      expect({ words, status }).toEqual({ words, status: 0 });
      expect(stdout).not.toBe('');
    }
  });

  it('prints no colour without a terminal, and obeys NO_COLOR and FORCE_COLOR', async () => {
    const coloured = async (env: Record<string, string>) =>
      (await runCli(world(), ['search', 'flag'], { env })).stdout.includes('\u001b[');
    expect(await coloured({})).toBe(false);
    expect(await coloured({ FORCE_COLOR: '1' })).toBe(true);
    expect(await coloured({ NO_COLOR: '1' })).toBe(false);
  });

  it('prints ASCII in an ASCII locale', async () => {
    for (const words of [['search', 'flag'], ['sessions'], ['stats'], ['doctor'], ['search', 'zebra']]) {
      const { stdout } = await runCli(world(), words, { env: { LANG: 'C', LC_ALL: 'C' } });
      expect(stdout).toMatch(/^[\n -~]*$/);
    }
  });
});

describe('the current folder', () => {
  it('reads no .env, settings or home from the current folder', async () => {
    const folder = tempFolder('foreign');
    const elsewhere = join(folder, 'elsewhere');
    for (const name of ['.smart-fork', '.claude', 'smart-fork']) mkdirSync(join(folder, name));
    const settings = JSON.stringify({ search: { max_results: 1 }, claude: { homes: [elsewhere] } });
    for (const name of [
      'config.json',
      'smart-fork.json',
      '.smart-fork/config.json',
      '.claude/settings.json',
      'smart-fork/config.json',
    ])
      writeFileSync(join(folder, name), settings);
    for (const name of ['.env', '.env.local', '.smart-fork/.env'])
      writeFileSync(
        join(folder, name),
        `SMART_FORK_HOME=${elsewhere}\nCLAUDE_CONFIG_DIR=${elsewhere}\nQDRANT_URL=http://127.0.0.1:9\n`,
      );
    writeFileSync(
      join(folder, 'package.json'),
      '{"name":"x","yargs":{"json":true},"smart-fork":{"search":{}}}',
    );
    const own = createWorld();
    writeClaude(own.claudeHome, 'one', stampLines([line.user('a flag')], { sessionId: 'one' }));
    expect(await runJson(own, ['index', '--no-embed'], { cwd: folder })).toMatchObject({ indexed: 1 });
    expect((await runJson(own, ['search', 'flag'], { cwd: folder })).results).toHaveLength(1);
    expect((await runCli(own, ['config', 'path'], { cwd: folder })).stdout).toBe(
      `${join(own.home, 'config.json')}\n`,
    );
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('reads settings from the user’s own home', async () => {
    const own = createWorld();
    mkdirSync(own.home);
    writeFileSync(join(own.home, '.env'), 'SMART_FORK_MACHINE=from-the-file\n');
    const { SMART_FORK_MACHINE: _, ...env } = own.env;
    writeClaude(own.claudeHome, 'one', stampLines([line.user('a flag')], { sessionId: 'one' }));
    const { results } = await runJson({ ...own, env }, ['search', 'flag']);
    expect(results).toMatchObject([{ machine: 'from-the-file' }]);
  });
});

describe('a new machine', () => {
  it('indexes the transcripts at the first search and says so on stderr', async () => {
    const own = createWorld();
    writeClaude(own.claudeHome, 'one', stampLines([line.user('a flag')], { sessionId: 'one' }));
    const { status, stdout, stderr } = await runCli(own, ['search', 'flag', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ session_id: 'one' }] });
    expect(stderr).toContain('1 session');
  });

  it('answers clearly on an empty machine, and writes no files in reading commands', async () => {
    const own = createWorld();
    const look = await runCli(own, ['search', 'anything']);
    expect(look.status).toBe(0);
    expect(look.stderr).toContain(join(own.claudeHome, 'projects'));
    for (const words of [
      ['index'],
      ['sessions'],
      ['stats'],
      ['doctor'],
      ['status'],
      ['model', 'status'],
      ['config', 'list'],
      ['scan'],
    ]) {
      const { status, stderr } = await runCli(own, words);
      expect({ words, status, trace: /\n\s+at /.test(stderr) }).toEqual({ words, status: 0, trace: false });
    }
    for (const words of [
      ['retrieve', 'x'],
      ['show', 'x'],
      ['tag', 'x', 'y'],
      ['forget', 'x', '--yes'],
    ]) {
      const { status, stdout, stderr } = await runCli(own, words);
      expect({ words, status, stdout }).toEqual({ words, status: 1, stdout: '' });
      expect(stderr).toMatch(/^error: .*"x"/);
    }
  });
});

describe('smart-fork demo', () => {
  it('leaves nothing of the demo in the home or the temporary folder', async () => {
    const own = createWorld();
    const temporary = tempFolder('demo-tmp');
    const env = {
      HOME: tempFolder('demo-home'),
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      NODE_COMPILE_CACHE: undefined,
    };
    const { status, stdout, stderr } = await runCli(own, ['demo'], { cwd: tempFolder('demo-cwd'), env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('--fork-session');
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(env.HOME)).toEqual([]);
    expect(existsSync(own.home)).toBe(false);
  });

  it('passes a query to the demo, even one that begins with a dash', async () => {
    const { status, stdout } = await runCli(createWorld(), ['demo', '-- payments are booked twice']);
    expect(status).toBe(0);
    expect(stdout).toContain('payments are booked twice');
  });
});

import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAM, ThrowawayHome } from '../../support/machines/init-cli.ts';

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';

let home: ThrowawayHome;
beforeEach(() => {
  home = new ThrowawayHome({ sessions: true });
  home.write('.claude/settings.json', SETTINGS);
  home.write('.codex/config.toml', 'model = "gpt" # mine');
});
afterEach(() => home.remove());

describe('smart-fork init', () => {
  it('shows the changes and makes none with --dry-run', async () => {
    const before = home.snapshot();
    const { code, out } = await home.cli(['init', '--dry-run', '--diff']);
    expect(code).toBe(0);
    expect(out).toMatch(/\+ {3}"hooks": \{/);
    expect(out).toContain('hook session-end || exit 0');
    expect(out).toContain('+ [mcp_servers.smart-fork]');
    expect(out).toContain('plugin marketplace add');
    expect(home.snapshot()).toEqual(before);
    expect(existsSync(home.at('.smart-fork'))).toBe(false);
  });

  it('sets up both agents, indexes, and ends with a search that finds something', async () => {
    const { code, out } = await home.cli(['init', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('Indexed 13 of 13 transcripts');
    const words = /smart-fork search ([\w .-]+)\s*$/.exec(out)?.[1]?.split(' ') ?? [];
    expect(words.length).toBeGreaterThan(2);
    const { sessions } = JSON.parse((await home.cli(['sessions', '--json'])).out);
    const named = sessions.find(({ title }: { title: string }) =>
      title.startsWith(words.slice(0, 2).join(' ')),
    );
    const { results } = JSON.parse((await home.cli(['search', ...words, '--json'])).out);
    // A fork may stand in for the session it came from.
    const found = results.flatMap(
      ({ session_id, family = [] }: { session_id: string; family?: string[] }) => [session_id, ...family],
    );
    expect(found).toContain(named.session_id);
    expect(home.read('.claude/settings.json')).toContain('// mine\n  "model": "opus",\n  "hooks": {');
    expect(JSON.parse(home.read('.claude.json')).mcpServers['smart-fork'].args.at(-1)).toBe('mcp');
    expect(Object.keys(JSON.parse(home.read('.codex/hooks.json')).hooks).sort()).toEqual([
      'SessionEnd',
      'SessionStart',
      'Stop',
      'SubagentStop',
    ]);
  });

  it('changes nothing the second time, and uninstall restores every byte', async () => {
    const before = home.snapshot();
    await home.cli(['init', '--yes', '--no-index']);
    const after = home.snapshot();
    const again = await home.cli(['init', '--yes', '--no-index']);
    expect(again.out).toContain('the hooks are already there');
    expect(again.out).toMatch(/skills: 9 skills already there\n/);
    expect(again.out.split('\n').filter((line) => line.includes('there'))).toHaveLength(6);
    expect(home.snapshot()).toEqual(after);
    const removed = await home.cli(['uninstall', '--yes']);
    expect(removed).toMatchObject({ code: 0, out: expect.not.stringContaining('already there') });
    expect(home.snapshot()).toEqual(before);
    expect((await home.cli(['uninstall', '--yes'])).out).toContain('Nothing to remove');
  });

  it('installs the skills for both agents, and leaves no folder of them on uninstall', async () => {
    const { out } = await home.cli(['init', '--yes', '--no-index']);
    const shipped = readdirSync('plugin/skills').sort();
    for (const folder of ['.claude/skills', '.codex/skills']) {
      expect(readdirSync(home.at(folder)).sort()).toEqual(shipped);
      expect(home.read(`${folder}/remember/SKILL.md`)).toBe(
        readFileSync('plugin/skills/remember/SKILL.md', 'utf8'),
      );
      expect(out).toContain(`${home.at(folder)}: ${shipped.length} skills created`);
    }
    const removed = await home.cli(['uninstall', '--yes']);
    for (const folder of ['.claude/skills', '.codex/skills']) {
      expect(existsSync(home.at(folder))).toBe(false);
      expect(removed.out).toContain(`${home.at(folder)}: ${shipped.length} skills will be deleted`);
    }
  });

  it('removes the folders that it made, if nothing else is in them', async () => {
    for (const kept of [false, true]) {
      rmSync(home.at('.codex'), { recursive: true, force: true });
      await home.cli(['init', '--yes', '--no-index', '--agent', 'codex']);
      expect(existsSync(home.at('.codex/skills'))).toBe(true);
      if (kept) home.write('.codex/auth.json', '{}');
      expect((await home.cli(['uninstall', '--yes'])).code).toBe(0);
      expect(existsSync(home.at('.codex'))).toBe(kept);
    }
    expect(readdirSync(home.at('.codex'))).toEqual(['auth.json']);
  });

  it("leaves alone a user's skill with the same name", async () => {
    const mine = '---\nname: remember\ndescription: mine\n---\nTake a note.\n';
    home.write('.claude/skills/remember/SKILL.md', mine);
    const { out } = await home.cli(['init', '--yes', '--no-index', '--agent', 'claude']);
    expect(out).toContain('another skill of this name, left unchanged');
    await home.cli(['uninstall', '--yes']);
    expect(home.read('.claude/skills/remember/SKILL.md')).toBe(mine);
    expect(readdirSync(home.at('.claude/skills'))).toEqual(['remember']);
  });

  it('installs no skills with --no-skills', async () => {
    await home.cli(['init', '--yes', '--no-index', '--no-skills']);
    expect(existsSync(home.at('.claude/skills'))).toBe(false);
    expect(existsSync(home.at('.claude.json'))).toBe(true);
  });

  it('says in one block per agent which files init changes, and names each file once', async () => {
    home.write('.gemini/trustedFolders.json', '{}');
    const { out } = await home.cli(['init', '--dry-run']);
    const plan = out.slice(0, out.indexOf('To undo all this'));
    expect(plan.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Claude Code: /),
      `  ${home.at('.claude/settings.json')}: hooks`,
      `  ${home.at('.claude.json')} (new file): MCP server`,
      `  ${home.at('.claude/skills')}: 9 skills, such as /fork-detect`,
      '',
      expect.stringMatching(/^Codex: /),
      `  ${home.at('.codex/hooks.json')} (new file): hooks`,
      `  ${home.at('.codex/config.toml')}: MCP server`,
      `  ${home.at('.codex/skills')}: 9 skills, such as $fork-detect`,
      '',
      expect.stringMatching(/^Gemini CLI: /),
      `  ${home.at('.gemini/settings.json')} (new file): hooks, MCP server`,
      `  ${home.at('.gemini/skills')}: 9 skills, such as /fork-detect`,
      '',
      'Hooks index each session after every answer; the MCP server lets the agent search past sessions; skills are commands that you can type in the agent.',
    ]);
    const made = (await home.cli(['init', '--yes', '--no-index', '--agent', 'gemini'])).out;
    const undone = (await home.cli(['uninstall', '--yes', '--agent', 'gemini'])).out;
    for (const text of [`${home.at('.gemini/settings.json')} created`, '.gemini/skills: 9 skills created'])
      expect(made.split(text)).toHaveLength(2);
    expect(undone.split(`${home.at('.gemini/settings.json')} deleted`)).toHaveLength(2);
    expect(made).not.toContain('backup:');
  });

  it.skipIf(!existsSync('/usr/bin/script'))('shows every line on request before it asks again', () => {
    const before = home.snapshot();
    const { out } = home.run(
      'sh',
      [
        '-c',
        `(printf 'd\\r'; sleep 2; printf 'n\\r') | script -qec "'${process.execPath}' '${PROGRAM}' init --no-index" /dev/null`,
      ],
      {},
    );
    expect(out).toMatch(/\+ {3}"hooks": \{/);
    expect(home.snapshot()).toEqual(before);
  });

  it('refuses to change anything without --yes if there is no terminal', async () => {
    const before = home.snapshot();
    const { code, err } = await home.cli(['init']);
    expect([code, home.snapshot()]).toEqual([2, before]);
    expect(err).toContain('--yes');
  });

  it.skipIf(!existsSync('/usr/bin/script'))('asks on a terminal and changes nothing after a no', () => {
    const before = home.snapshot();
    const { out } = home.run(
      'script',
      ['-qec', `'${process.execPath}' '${PROGRAM}' init --no-index`, '/dev/null'],
      {},
      { input: 'n\r' },
    );
    expect(out).toContain('Make these changes?');
    expect(out).toContain('Nothing was changed.');
    expect(home.snapshot()).toEqual(before);
  });

  it('leaves out hooks with --no-hooks and the MCP server with --no-mcp', async () => {
    await home.cli(['init', '--yes', '--no-index', '--agent', 'claude', '--no-hooks']);
    expect(home.read('.claude/settings.json')).toBe(SETTINGS);
    expect(existsSync(home.at('.claude.json'))).toBe(true);
    expect(existsSync(home.at('.codex/hooks.json'))).toBe(false);
    await home.cli(['init', '--yes', '--no-index', '--agent', 'codex', '--no-mcp']);
    expect(home.read('.codex/config.toml')).toBe('model = "gpt" # mine');
    expect(existsSync(home.at('.codex/hooks.json'))).toBe(true);
  });

  it('reports a file that it cannot parse, and changes the others', async () => {
    home.write('.claude/settings.json', '{ "hooks": ');
    const { code, out } = await home.cli(['init', '--yes', '--no-index']);
    expect(code).toBe(1);
    expect(out).toContain('settings.json is not valid JSON');
    expect(home.read('.claude/settings.json')).toBe('{ "hooks": ');
    expect(home.read('.codex/config.toml')).toContain('[mcp_servers.smart-fork]');
  });

  it('writes to the folders in CLAUDE_CONFIG_DIR and CODEX_HOME', async () => {
    home.write('c/.keep', '');
    home.write('x/.keep', '');
    const env = { CLAUDE_CONFIG_DIR: home.at('c'), CODEX_HOME: home.at('x'), SMART_FORK_HOME: home.at('s') };
    const { out } = await home.cli(['init', '--yes', '--no-index'], env);
    expect(out).toContain('SMART_FORK_HOME is set');
    const names = Object.keys(home.snapshot('c')).map((path) => path.split('/').at(-1));
    expect(names.filter((name) => name !== 'SKILL.md')).toEqual(['.claude.json', '.keep', 'settings.json']);
    expect(existsSync(home.at('x/skills/fork-detect/SKILL.md'))).toBe(true);
    expect(home.read('x/config.toml')).toContain('[mcp_servers.smart-fork]');
    expect(existsSync(home.at('s/installed.json'))).toBe(true);
    expect(home.read('.claude/settings.json')).toBe(SETTINGS);
  });

  it('adds nothing if the plugin is installed', async () => {
    home.write('.claude/settings.json', '{"enabledPlugins": {"smart-fork@smart-fork": true}}');
    const { out } = await home.cli(['init', '--yes', '--no-index', '--agent', 'claude']);
    expect(out).toContain('the smart-fork plugin is installed');
    expect(existsSync(home.at('.claude.json'))).toBe(false);
  });

  it('adds hooks to config.toml if the user has hooks there', async () => {
    home.write(
      '.codex/config.toml',
      '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "bell"\n',
    );
    await home.cli(['init', '--yes', '--no-index', '--agent', 'codex']);
    expect(existsSync(home.at('.codex/hooks.json'))).toBe(false);
    expect(home.read('.codex/config.toml')).toContain('[[hooks.SessionEnd]]');
    expect((await home.cli(['init', '--yes', '--no-index', '--agent', 'codex'])).out).toContain(
      'already there',
    );
  });

  it('sets up an agent that is not installed only if it is named', async () => {
    const empty = new ThrowawayHome();
    try {
      const none = await empty.cli(['init', '--yes']);
      expect([none.code, none.err]).toEqual([1, expect.stringContaining('--agent claude')]);
      expect((await empty.cli(['init', '--yes', '--agent', 'claude'])).code).toBe(0);
      expect(existsSync(empty.at('.claude/settings.json'))).toBe(true);
    } finally {
      empty.remove();
    }
  });

  it('reports agents, changes and the index with --json', async () => {
    const { out } = await home.cli(['init', '--yes', '--json']);
    const report = JSON.parse(out);
    expect(report.agents.map(({ agent }: { agent: string }) => agent)).toEqual(['claude', 'codex']);
    const changes = report.changes.map(({ part, action }: Record<string, string>) => [part, action]);
    const skills = changes.filter(([part]: string[]) => part === 'skill');
    expect(skills).toEqual(Array(2 * readdirSync('plugin/skills').length).fill(['skill', 'create']));
    expect(changes.filter((change: string[]) => !skills.includes(change))).toEqual([
      ['hooks', 'change'],
      ['server', 'create'],
      ['hooks', 'create'],
      ['server', 'change'],
    ]);
    expect(report.index.indexed).toBe(13);
    expect(report.try).toMatch(/^smart-fork search \S/);
  });

  it('succeeds without the model if there is no network', async () => {
    const env = { HF_ENDPOINT: 'http://127.0.0.1:9', HF_HUB_CACHE: home.at('hub') };
    const { code, out, err } = await home.cli(['init', '--yes', '--model'], env);
    expect(code).toBe(0);
    expect(err).toContain('smart-fork model pull');
    expect(out).toContain('Try it:');
  });
});

describe('the MCP server that init registers with Codex', () => {
  const init = () => home.cli(['init', '--yes', '--no-index', '--agent', 'codex']);
  const handedOver = () => {
    const { mcp_servers } = parse(home.read('.codex/config.toml')) as {
      mcp_servers: { 'smart-fork': { env_vars: unknown[] } };
    };
    return mcp_servers['smart-fork'].env_vars;
  };

  it('passes the collection and the encryption switch to Codex’s server with the address', async () => {
    await init();
    expect(handedOver()).toEqual(
      expect.arrayContaining(['QDRANT_URL', 'QDRANT_API_KEY', 'QDRANT_COLLECTION', 'SMART_FORK_ENCRYPTION']),
    );
  });

  it('adds the variables that an older init omitted, and keeps those added by the user', async () => {
    await init();
    const text = home.read('.codex/config.toml');
    home.write('.codex/config.toml', text.replace(/^env_vars = .*$/m, 'env_vars = ["QDRANT_URL", "MINE"]'));
    expect((await init()).code).toBe(0);
    expect(handedOver()).toEqual(
      expect.arrayContaining(['QDRANT_COLLECTION', 'SMART_FORK_ENCRYPTION', 'MINE']),
    );
    expect((await init()).out).toContain('the MCP server is already there');
    home.write('.codex/config.toml', text.replace(/^env_vars = .*\n/m, ''));
    expect((await init()).code).toBe(0);
    expect(handedOver()).toContain('QDRANT_COLLECTION');
  });
});

describe('smart-fork uninstall', () => {
  it('keeps the index on uninstall, and deletes what smart-fork created with --purge', async () => {
    await home.cli(['init', '--yes']);
    await home.cli(['uninstall', '--yes']);
    expect(existsSync(home.at('.smart-fork/index.db'))).toBe(true);
    home.write('.smart-fork/letters.txt', 'mine');
    home.write('.smart-fork/program/current', '0.1.0');
    home.write('.smart-fork/export/codex/notes.md', 'mine');
    await home.cli(['export']);
    expect(readdirSync(home.at('.smart-fork/export/claude'))).not.toEqual([]);
    expect((await home.cli(['uninstall', '--purge', '--yes'])).out).toContain('letters.txt');
    expect(home.read('.smart-fork/letters.txt')).toBe('mine');
    expect(existsSync(home.at('.smart-fork/index.db'))).toBe(false);
    expect(existsSync(home.at('.smart-fork/program'))).toBe(false);
    expect(existsSync(home.at('.smart-fork/export/claude'))).toBe(false);
    expect(home.read('.smart-fork/export/codex/notes.md')).toBe('mine');
  });

  it('changes nothing with --dry-run, nor without --yes if there is no terminal', async () => {
    await home.cli(['init', '--yes', '--no-index']);
    const before = home.snapshot();
    expect((await home.cli(['uninstall', '--dry-run', '--purge'])).code).toBe(0);
    expect((await home.cli(['uninstall'])).code).toBe(2);
    expect(home.snapshot()).toEqual(before);
    expect(existsSync(home.at('.smart-fork/installed.json'))).toBe(true);
  });

  it('removes its entries from a folder that is no longer configured', async () => {
    home.write('old/settings.json', SETTINGS);
    await home.cli(['init', '--yes', '--no-index'], { CLAUDE_CONFIG_DIR: home.at('old') });
    await home.cli(['uninstall', '--yes']);
    expect(home.read('old/settings.json')).toBe(SETTINGS);
  });
});

describe('smart-fork doctor after init', () => {
  const checks = async (): Promise<{ name: string; status: string; message: string; fix?: string }[]> =>
    JSON.parse((await home.cli(['doctor', '--json'])).out).checks;

  it('reports that Codex runs no hooks until they are trusted, and warns about nothing else', async () => {
    await home.cli(['init', '--yes', '--no-model']);
    expect((await checks()).filter(({ status }) => status === 'warn' || status === 'fail')).toEqual([
      {
        name: 'Codex hooks',
        status: 'warn',
        message: expect.stringMatching(
          /^(?=.*Stop)(?=.*SessionEnd).*: not trusted yet, so Codex does not run them$/,
        ),
        fix: 'Type /hooks in Codex and trust them.',
      },
    ]);
    const events = ['stop', 'subagent_stop', 'session_start', 'session_end'];
    const trust = events.map(
      (event) => `[hooks.state."${home.at('.codex/hooks.json')}:${event}:0:0"]\ntrusted_hash = "sha256:1"\n`,
    );
    home.write('.codex/config.toml', `${home.read('.codex/config.toml')}\n${trust.join('\n')}`);
    expect((await checks()).filter(({ status }) => status === 'warn' || status === 'fail')).toEqual([]);
    expect((await home.cli(['doctor'])).out).toContain('All good.');
  });

  it('mentions the missing model once, and the skills as one part', async () => {
    await home.cli(['init', '--yes', '--no-model', '--agent', 'claude']);
    const found = await checks();
    expect(found.filter(({ message }) => message.includes('keyword search only'))).toHaveLength(1);
    expect(found.filter(({ name }) => name === 'Claude MCP')).toHaveLength(1);
    expect(found).toContainEqual({
      name: 'Claude skills',
      status: 'ok',
      message: expect.stringMatching(/installed$/),
    });
  });

  it('counts a transcript in one folder of Claude Code only, and not in status for programs', async () => {
    const homes = ['.claude', '.claude-work'].map((folder) => home.at(folder));
    home.write('.smart-fork/config.json', JSON.stringify({ claude: { homes } }));
    home.write('.claude/settings.json', '{"cleanupPeriodDays": 14}');
    home.write('.claude-work/settings.json', '{"cleanupPeriodDays": 365}');
    const transcript = '.claude-work/projects/-x/0c1a0de0-0000-4000-8000-000000000001.jsonl';
    home.write(transcript, '{}\n');
    const old = Date.now() / 1000 - 20 * 86_400;
    utimesSync(home.at(transcript), old, old);
    const found = (await checks()).find(({ name }) => name === 'Clean-up');
    expect(found?.message).toContain('after 14 days');
    expect(found?.message).not.toContain('would be deleted');
    expect(JSON.parse((await home.cli(['status', '--json'])).out)).not.toHaveProperty('cleanup');
  });

  it('reports when Claude Code deletes transcripts, and warns if archiving is off', async () => {
    home.write('.claude/settings.json', '{"cleanupPeriodDays": 14}');
    const found = async () => (await checks()).find(({ name }) => name === 'Clean-up');
    expect(await found()).toMatchObject({ status: 'ok', message: expect.stringContaining('after 14 days') });
    await home.cli(['config', 'set', 'archive.enabled', 'false']);
    expect(await found()).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('archive.enabled true'),
    });
  });
});

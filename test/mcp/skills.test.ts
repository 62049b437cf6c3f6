import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/mcp/tools/all-tools.ts';

const NAMES = [
  ...['fork-detect', 'fork-session', 'memory-backfill', 'memory-stats', 'memory-topics', 'reindex'],
  ...['remember', 'session-stats', 'smart-fork'],
];
/** The keys that Claude Code allows in front matter. */
const KEYS = [
  'name',
  'description',
  'argument-hint',
  'allowed-tools',
  'disable-model-invocation',
  'context',
  'agent',
];
const PREFIXES = ['mcp__smart-fork__', 'mcp__plugin_smart-fork_smart-fork__'];
const tools = new Set(TOOLS.map(({ name }) => name));

it('has a folder for each skill', () => {
  expect(readdirSync('skills').sort()).toEqual(NAMES);
});

describe.each(NAMES)('skill %s', (name) => {
  const text = readFileSync(`skills/${name}/SKILL.md`, 'utf8');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields = new Map(
    head.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );

  it('gives the skill front matter that clients support, with its own name', () => {
    expect([...fields.keys()].filter((key) => !KEYS.includes(key))).toEqual([]);
    expect(fields.get('name')).toBe(name);
    expect(fields.get('description')?.length).toBeGreaterThan(40);
    expect(fields.get('description')?.length).toBeLessThan(1024);
    expect(fields.get('description')).not.toMatch(/: /);
    expect(fields.get('argument-hint')).toMatch(/^".+"$/);
  });

  it('keeps the skill below 5,000 characters and 200 lines', () => {
    expect(body.length).toBeGreaterThan(300);
    expect(body.length).toBeLessThan(5000);
    expect(body.split('\n').length).toBeLessThan(200);
  });

  it('names only existing tools in the skill, each under both of its names', () => {
    const mentioned = [...text.matchAll(/mcp__(?:plugin_smart-fork_)?smart-fork__\w+/g)].map(
      ([found]) => found,
    );
    expect(mentioned.length).toBeGreaterThan(0);
    for (const one of mentioned) expect(tools, one).toContain(one.replace(/^.*__/, ''));
    const allowed = (fields.get('allowed-tools') ?? '').split(', ').filter((one) => one.startsWith('mcp__'));
    const bare = new Set(allowed.map((one) => one.replace(/^.*__/, '')));
    expect(allowed.sort()).toEqual(
      [...bare].flatMap((tool) => PREFIXES.map((prefix) => prefix + tool)).sort(),
    );
    const called = [...body.matchAll(/`(\w+_\w+)`/g)]
      .map(([, found = '']) => found)
      .filter((found) => tools.has(found));
    for (const one of called) expect(bare, one).toContain(one);
  });

  it('lets the skill work without the tools, with existing commands', () => {
    const commands = [...text.matchAll(/smart-fork ([a-z]+)/g)].map(([, found]) => found);
    const known = readdirSync('src/cli', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('-command.ts'))
      .map((file) => basename(file, '-command.ts'));
    const called = commands.filter((one) =>
      ['search', 'show', 'retrieve', 'stats', 'sessions', 'index', 'reindex', 'doctor', 'model'].includes(
        one ?? '',
      ),
    );
    expect(called.length).toBeGreaterThan(0);
    for (const one of called) expect(known).toContain(one);
  });

  it('says that quoted text is not an instruction, if the skill quotes', () => {
    if (text.includes('get_session_context'))
      expect(body).toMatch(/never an instruction|Do not follow instructions/);
  });
});

it('answers /remember in its own context', () => {
  expect(readFileSync('skills/remember/SKILL.md', 'utf8')).toContain('\ncontext: fork\n');
});

describe('the plugin', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const { version } = read('package.json');

  it.each(['plugin/.claude-plugin/plugin.json', 'plugin/.codex-plugin/plugin.json'])(
    'gives %s the version of the package and existing paths',
    (path) => {
      const manifest = read(path);
      expect(manifest).toMatchObject({ name: 'smart-fork', version, license: 'MIT' });
      for (const key of ['skills', 'mcpServers', 'hooks'])
        if (manifest[key] !== undefined) expect(existsSync(join('plugin', manifest[key]))).toBe(true);
    },
  );

  it('starts the plugin’s server from an existing file', () => {
    const claude = read('plugin/claude.mcp.json').mcpServers['smart-fork'];
    expect(claude.args[1]).toBe('--plugin');
    expect(claude.args[0].replace(/^\$\{CLAUDE_PLUGIN_ROOT\}/, 'plugin')).toSatisfy(existsSync);
    const codex = read('plugin/codex.mcp.json').mcpServers['smart-fork'];
    expect(codex).toMatchObject({ cwd: '.', args: ['./server/mcp.mjs', '--plugin'] });
    expect(read('.claude-plugin/marketplace.json').plugins[0]).toMatchObject({
      name: 'smart-fork',
      source: './plugin',
    });
  });
});

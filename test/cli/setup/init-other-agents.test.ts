import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ThrowawayHome } from '../../support/machines/init-cli.ts';

const OPENCODE = '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {}\n}\n';
const GEMINI =
  '{\n  "general": { "sessionRetention": { "maxAge": "2w" } },\n  "hooks": { "AfterAgent": [] }\n}';
const QWEN = '{"$version": 4}';
const COPILOT =
  '{ "mcpServers": { "other": { "type": "local", "command": "x", "args": [], "tools": ["*"] } } }\n';

let home: ThrowawayHome;
beforeEach(() => {
  home = new ThrowawayHome();
  for (const folder of ['.local/share/opencode', '.pi/agent', '.copilot', '.gemini', '.qwen'])
    mkdirSync(home.at(folder), { recursive: true });
  home.write('.config/opencode/opencode.jsonc', OPENCODE);
  home.write('.gemini/settings.json', GEMINI);
  home.write('.qwen/settings.json', QWEN);
  home.write('.copilot/mcp-config.json', COPILOT);
});
afterEach(() => home.remove());

it('registers hooks, server and skills with each agent found, and undoes it to the byte', async () => {
  const before = home.snapshot();
  const { code, out } = await home.cli(['init', '--yes', '--no-index', '--no-model']);
  expect(code).toBe(0);
  const after = home.snapshot();
  expect(Object.keys(JSON.parse(home.read('.gemini/settings.json')).hooks)).toEqual([
    'AfterAgent',
    'SessionEnd',
  ]);
  expect(JSON.parse(home.read('.gemini/settings.json')).hooks.AfterAgent[0].hooks[0].timeout).toBe(10_000);
  expect(JSON.parse(home.read('.qwen/settings.json')).mcpServers['smart-fork'].args.at(-1)).toBe('mcp');
  expect(JSON.parse(home.read('.copilot/mcp-config.json')).mcpServers['smart-fork'].tools).toEqual(['*']);
  expect(Object.keys(JSON.parse(home.read('.copilot/hooks/smart-fork.json')).hooks)).toContain('agentStop');
  expect(home.read('.config/opencode/opencode.jsonc')).toContain('"command": [\n');
  const skills = readdirSync('plugin/skills').sort();
  for (const folder of ['.config/opencode', '.pi/agent', '.copilot', '.gemini', '.qwen'])
    expect(readdirSync(home.at(`${folder}/skills`)).sort()).toEqual(skills);
  expect(out).toContain('/skill:fork-detect');
  await home.cli(['init', '--yes', '--no-index', '--no-model']);
  expect(home.snapshot()).toEqual(after);
  expect((await home.cli(['uninstall', '--yes'])).code).toBe(0);
  expect(home.snapshot()).toEqual(before);
  for (const folder of ['.config/opencode/plugin', '.pi/agent/extensions', '.copilot/hooks'])
    expect(existsSync(home.at(folder))).toBe(false);
});

it.each(['.config/opencode/plugin/smart-fork.js', '.pi/agent/extensions/smart-fork.js'])(
  'writes a program that Node can parse: %s',
  async (path) => {
    await home.cli(['init', '--yes', '--no-index', '--no-model']);
    const copy = home.at('copy.mjs');
    home.write('copy.mjs', readFileSync(home.at(path), 'utf8'));
    execFileSync(process.execPath, ['--check', copy]);
  },
);

it('keeps a plugin of the user with the name of ours', async () => {
  home.write('.config/opencode/plugin/smart-fork.js', '// mine\n');
  await home.cli(['init', '--yes', '--no-index', '--no-model']);
  await home.cli(['uninstall', '--yes']);
  expect(home.read('.config/opencode/plugin/smart-fork.js')).toBe('// mine\n');
});

it('does not set up an agent that is not there', async () => {
  home.remove();
  home = new ThrowawayHome({ sessions: true });
  mkdirSync(home.at('data'));
  await home.cli(['init', '--yes', '--no-index', '--no-model'], { XDG_DATA_HOME: home.at('data') });
  expect(existsSync(home.at('.config'))).toBe(false);
});

it('checks hooks, server and skills of each agent in doctor', async () => {
  await home.cli(['init', '--yes', '--no-index', '--no-model']);
  const { checks } = JSON.parse((await home.cli(['doctor', '--json'])).out);
  const found = Object.fromEntries(
    checks.map(({ name, status }: { name: string; status: string }) => [name, status]),
  );
  for (const agent of ['OpenCode', 'Pi', 'Copilot', 'Gemini', 'Qwen']) {
    expect(found[`${agent} hooks`]).toBe('ok');
    expect(found[`${agent} skills`]).toBe('ok');
    expect(found[`${agent} MCP`]).toBe(agent === 'Pi' ? undefined : 'ok');
  }
  expect(checks.find(({ name }: { name: string }) => name === 'Clean-up').message).toContain('after 14 days');
});

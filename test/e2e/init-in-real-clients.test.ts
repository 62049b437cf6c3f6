import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAM, ThrowawayHome } from '../support/machines/init-cli.ts';
import { pack, unpack } from '../support/machines/pack.ts';

// The real Claude Code and Codex, offline and without a login, in temporary homes:
// SMART_FORK_TEST_CLAUDE=/path/to/claude SMART_FORK_TEST_CODEX=/path/to/codex npx vitest run test/e2e/init-in-real-clients.test.ts

const claude = process.env.SMART_FORK_TEST_CLAUDE ?? '';
const codex = process.env.SMART_FORK_TEST_CODEX ?? '';
const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8'));
const EVENTS = ['SessionEnd', 'SessionStart', 'Stop', 'SubagentStop'];

if (claude === '') console.log('skipped: SMART_FORK_TEST_CLAUDE names no program');
if (codex === '') console.log('skipped: SMART_FORK_TEST_CODEX names no program');

let home: ThrowawayHome;
let project: string;
function openHome(): void {
  home = new ThrowawayHome();
  home.write('project/notes.txt', 'nothing');
  project = home.at('project');
  execFileSync('git', ['init', '-q', project]);
}

function jobs(): { event: string; transcriptPath: string }[] {
  const spool = home.at('.smart-fork/spool');
  if (!existsSync(spool)) return [];
  return readdirSync(spool)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(spool, name), 'utf8')));
}

/** This process poses as the worker, so that jobs stay in the spool for inspection. */
function holdJobs(): void {
  home.write('.smart-fork/worker.json', JSON.stringify({ pid: process.pid }));
}

/** Where an agent can get the plugin from. */
const PLACES: [string, () => string][] = [
  ['a clone', clone],
  ['the package', () => unpack(pack('.', home.at('packed')), home.at('packed'))],
];

/** The files of a clone, without packages, which are slow to copy. */
function clone(): string {
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const path of tracked.split('\0').filter((name) => name !== '' && existsSync(name)))
    cpSync(path, home.at(`clone/${path}`));
  return home.at('clone');
}

/** The plugin finds this build on the PATH. */
function putOnPath(): void {
  home.write('bin/.keep', '');
  execFileSync('ln', ['-s', PROGRAM, join(home.bin, 'smart-fork')]);
}

describe.skipIf(claude === '')(
  'Claude Code after init',
  () => {
    beforeAll(async () => {
      openHome();
      expect((await home.cli(['init', '--yes', '--agent', 'claude', '--no-index'])).code).toBe(0);
      holdJobs();
    });
    afterAll(() => home.remove());

    it('runs the hook in a session without a login', () => {
      const { out } = home.run(claude, ['-p', 'hello'], {}, { cwd: project });
      expect(out).toContain('Not logged in');
      const [job] = jobs();
      expect(job?.transcriptPath).toContain(home.at('.claude/projects'));
      expect(existsSync(job?.transcriptPath ?? '')).toBe(true);
    });

    it('finds the MCP server connected, even after Claude Code wrote its own settings', () => {
      expect(home.run(claude, ['mcp', 'list'], {}, { cwd: project }).out).toMatch(
        /smart-fork: .* ✔ Connected/,
      );
      const about = home.run(claude, ['mcp', 'get', 'smart-fork'], {}, { cwd: project }).out;
      expect(about).toContain('User config');
      expect(about).toContain('✔ Connected');
    });

    it('leaves Claude Code nothing of smart-fork after uninstall', async () => {
      expect((await home.cli(['uninstall', '--yes'])).code).toBe(0);
      expect(home.run(claude, ['mcp', 'list'], {}, { cwd: project }).out).toContain(
        'No MCP servers configured',
      );
      expect(existsSync(home.at('.claude/settings.json'))).toBe(false);
      expect(JSON.parse(home.read('.claude.json')).mcpServers).toBeUndefined();
    });
  },
  120_000,
);

describe.skipIf(claude === '')(
  'the plugin in Claude Code',
  () => {
    beforeEach(() => {
      openHome();
      holdJobs();
      putOnPath();
    });
    afterEach(() => home.remove());

    it.each(PLACES)('is installed from %s as valid, and runs its hook', async (_, place) => {
      const folder = place();
      const run = (...words: string[]) => home.run(claude, words, {}, { cwd: folder });
      expect(run('plugin', 'validate', '.')).toMatchObject({ code: 0 });
      expect(run('plugin', 'marketplace', 'add', './')).toMatchObject({ code: 0 });
      expect(run('plugin', 'install', 'smart-fork@smart-fork')).toMatchObject({ code: 0 });
      home.run(claude, ['-p', 'hello'], {}, { cwd: project });
      expect(jobs().map(({ transcriptPath }) => existsSync(transcriptPath))).toEqual([true]);
      expect((await home.cli(['init', '--yes', '--no-index', '--agent', 'claude'])).out).toContain(
        'the smart-fork plugin is installed: nothing to add',
      );
    });
  },
  120_000,
);

describe.skipIf(codex === '')(
  'Codex after init',
  () => {
    beforeAll(async () => {
      openHome();
      home.write('.codex/config.toml', '# mine\n[analytics]\nenabled = false\n');
      expect((await home.cli(['init', '--yes', '--agent', 'codex', '--no-index'])).code).toBe(0);
      holdJobs();
    });
    afterAll(() => home.remove());

    it('lists our hooks in Codex without a warning', async () => {
      const { hooks, warnings, errors } = await listHooks();
      expect(hooks.map(({ eventName }) => eventName.toLowerCase()).sort()).toEqual(
        EVENTS.map((event) => event.toLowerCase()).sort(),
      );
      expect([warnings, errors]).toEqual([[], []]);
    });

    it('lists the MCP server in Codex', async () => {
      const server = JSON.parse(
        home.run(codex, ['mcp', 'get', 'smart-fork', '--json'], {}, { cwd: project }).out,
      );
      expect(server.transport.args).toEqual([PROGRAM, 'mcp']);
    });

    it('runs the hook in Codex once it is trusted', async () => {
      await execUntil(() => jobs().length > 0);
      expect(jobs()[0]?.event).toBe('session-start');
    });

    it('leaves Codex nothing of smart-fork after uninstall', async () => {
      expect((await home.cli(['uninstall', '--yes'])).code).toBe(0);
      expect((await listHooks()).hooks).toEqual([]);
      expect(home.read('.codex/config.toml')).toContain('# mine\n[analytics]\nenabled = false\n');
      expect(home.read('.codex/config.toml')).not.toContain('mcp_servers');
    });
  },
  120_000,
);

describe.skipIf(codex === '')(
  'the plugin in Codex',
  () => {
    beforeEach(() => {
      openHome();
      home.write('.codex/.keep', '');
      putOnPath();
    });
    afterEach(() => home.remove());

    it.each(PLACES)('is installed from %s with its hooks and skills', async (_, place) => {
      const folder = place();
      const run = (...words: string[]) => home.run(codex, words, {}, { cwd: folder });
      expect(run('plugin', 'marketplace', 'add', './')).toMatchObject({ code: 0 });
      expect(run('plugin', 'add', 'smart-fork@smart-fork')).toMatchObject({ code: 0 });
      expect(readdirSync(home.at(`.codex/plugins/cache/smart-fork/smart-fork/${VERSION}/skills`))).toEqual(
        readdirSync('skills'),
      );
      holdJobs();
      const { hooks, warnings, errors } = await listHooks();
      expect([hooks.length, warnings, errors]).toEqual([EVENTS.length + 1, [], []]);
      await execUntil(() => jobs().length > 0);
      expect(jobs().map(({ event }) => event)).toContain('session-start');
    });
  },
  120_000,
);

interface HookList {
  hooks: { eventName: string; command: string }[];
  warnings: string[];
  errors: string[];
}

/** Asks `codex app-server`, which works without a login. */
function listHooks(): Promise<HookList> {
  const child = spawn(codex, ['app-server'], { cwd: project, env: home.environment() });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({
    id: 0,
    method: 'initialize',
    params: { clientInfo: { name: 'test', title: 'test', version: '1' } },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 0) {
        send({ method: 'initialized' });
        send({ id: 1, method: 'hooks/list', params: { cwds: [project] } });
      }
      if (id !== 1) return;
      child.kill();
      resolve(result.data[0]);
    });
  });
}

/**
 * Without a login the program tries to connect for minutes, so it is killed with its process group as soon as the
 * hook has run.
 */
async function execUntil(done: () => boolean): Promise<void> {
  const child = spawn(codex, ['exec', '--dangerously-bypass-hook-trust', 'hello'], {
    cwd: project,
    env: home.environment(),
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'exit');
  const until = Date.now() + 30_000;
  while (!done() && Date.now() < until) await new Promise((next) => setTimeout(next, 200));
  process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
  await ended;
}

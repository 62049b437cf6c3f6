import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { ThrowawayHome } from '../machines/init-cli.ts';

// The real programs of agents, offline and without a login: SMART_FORK_TEST_AGENTS=/folder/with/programs

const FOLDER = process.env.SMART_FORK_TEST_AGENTS ?? '';

/** How a program is made to use the stand-in model, and how it answers one prompt without a terminal. */
interface RealAgent {
  program: string;
  /** Settings in its home, written before it starts. */
  files(url: string): Record<string, string>;
  env(url: string): Record<string, string>;
  ask(prompt: string): string[];
  /** The words after the program with which `words`, those that open a session in a terminal, answer a prompt without one. */
  continue(words: string[], prompt: string): string[];
  /** Words that begin a call which makes a session, and opens none. */
  makes?: string[];
}

const provider = (url: string) => ({
  npm: '@ai-sdk/openai-compatible',
  options: { baseURL: `${url}/v1`, apiKey: 'x' },
  models: { 'stand-in': { name: 'stand-in' } },
});

const piModel = {
  id: 'stand-in',
  name: 'stand-in',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1000,
};

export const REAL_AGENTS = {
  opencode: {
    program: 'opencode',
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'standin/stand-in',
        small_model: 'standin/stand-in',
        provider: { standin: provider(url) },
      }),
      '.local/share/opencode/.keep': '',
    }),
    env: () => ({}),
    ask: (prompt) => ['run', prompt],
    continue: (words, prompt) => ['run', ...words, prompt],
    makes: ['import', 'serve', 'session'],
  },
  pi: {
    program: 'pi',
    files: (url) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          standin: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'x', models: [piModel] },
        },
      }),
      '.pi/agent/settings.json': '{"defaultProvider": "standin", "defaultModel": "stand-in"}',
    }),
    env: () => ({ PI_OFFLINE: '1' }),
    ask: (prompt) => ['-p', prompt],
    continue: (words, prompt) => [...words, '-p', prompt],
  },
  copilot: {
    program: 'copilot',
    files: () => ({ '.copilot/.keep': '' }),
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    }),
    ask: (prompt) => ['--allow-all-tools', '-p', prompt],
    continue: (words, prompt) => [...words, '--allow-all-tools', '-p', prompt],
    makes: ['sessions'],
  },
  gemini: {
    program: 'gemini',
    files: () => ({
      '.gemini/settings.json': '{\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n',
    }),
    env: (url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url }),
    ask: (prompt) => ['--skip-trust', '-p', prompt],
    continue: (words, prompt) => ['--skip-trust', ...words, '-p', prompt],
  },
  qwen: {
    program: 'qwen',
    files: () => ({ '.qwen/settings.json': '{}' }),
    env: (url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stand-in' }),
    ask: (prompt) => ['--auth-type', 'openai', '-p', prompt],
    continue: (words, prompt) => ['--auth-type', 'openai', ...words, '-p', prompt],
  },
  claude: {
    program: 'claude',
    files: () => ({ '.claude/.keep': '' }),
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    ask: (prompt) => ['-p', prompt],
    continue: (words, prompt) => [...words, '-p', prompt],
  },
  codex: {
    program: 'codex',
    files: (url) => ({
      '.codex/config.toml': [
        'model_provider = "standin"',
        '[model_providers.standin]',
        'name = "standin"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'requires_openai_auth = false',
        'supports_websockets = false',
      ].join('\n'),
    }),
    env: () => ({}),
    ask: (prompt) => ['exec', '--skip-git-repo-check', prompt],
    continue: (words, prompt) => ['exec', '--skip-git-repo-check', ...words, prompt],
    makes: ['app-server'],
  },
} satisfies Record<string, RealAgent>;

export type RealAgentName = keyof typeof REAL_AGENTS;

export function isHere(name: RealAgentName): boolean {
  const found = FOLDER !== '' && existsSync(join(FOLDER, REAL_AGENTS[name].program));
  if (!found) console.log(`skipped: SMART_FORK_TEST_AGENTS has no ${REAL_AGENTS[name].program}`);
  return found;
}

/** An agent in a throw-away home, with a project. */
export function realAgent(home: ThrowawayHome, name: RealAgentName, url: string) {
  const agent: RealAgent = REAL_AGENTS[name];
  for (const [path, text] of Object.entries(agent.files(url))) home.write(path, text);
  home.write('project/notes.txt', 'nothing');
  const cwd = home.at('project');
  spawnSync('git', ['init', '-q', cwd]);
  const env = home.environment({
    ...agent.env(url),
    PATH: [FOLDER, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    TERM: 'xterm-256color',
  });
  /** Not synchronous: this process answers for the model. */
  const run = (words: string[]): Promise<string> => {
    const [program = '', ...args] = words;
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        said += part;
      });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => resolve(said));
    });
  };
  /** Stands before the program on the PATH: notes what opens a session, and runs the rest. */
  const recorder = join(home.bin, agent.program);
  const started = home.at('started');
  home.write(
    `bin/${agent.program}`,
    `#!/bin/sh
case "$1" in ${['--version', ...(agent.makes ?? [])].join('|')}) exec ${join(FOLDER, agent.program)} "$@" ;; esac
printf '%s\\n' "$@" > ${started}
`,
  );
  chmodSync(recorder, 0o755);
  return {
    cwd,
    env,
    run,
    ask: (prompt: string) => run([agent.program, ...agent.ask(prompt)]),
    continue: (words: string[], prompt: string) => run([agent.program, ...agent.continue(words, prompt)]),
    /** The words after the program with which a command of smart-fork opens a session. */
    async opened(words: string[]): Promise<string[]> {
      const done = await home.cli(words, { ...env, PATH: [home.bin, env.PATH].join(delimiter) });
      if (!existsSync(started)) throw new Error(`no session was opened: ${done.out}${done.err}`);
      return readFileSync(started, 'utf8').trim().split('\n');
    },
  };
}

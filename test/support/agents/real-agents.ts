import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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
  },
  gemini: {
    program: 'gemini',
    files: () => ({
      '.gemini/settings.json': '{\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n',
    }),
    env: (url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url }),
    ask: (prompt) => ['--skip-trust', '-p', prompt],
  },
  qwen: {
    program: 'qwen',
    files: () => ({ '.qwen/settings.json': '{}' }),
    env: (url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stand-in' }),
    ask: (prompt) => ['--auth-type', 'openai', '-p', prompt],
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
    PATH: [FOLDER, home.environment().PATH].join(delimiter),
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
  return {
    cwd,
    env,
    run,
    ask: (prompt: string, more: string[] = []) => run([agent.program, ...more, ...agent.ask(prompt)]),
  };
}

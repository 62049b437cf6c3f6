import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CLI = resolve('dist', 'bin.cjs');

/** An environment without the user's own settings. */
export interface Home {
  env: Record<string, string>;
}

/** A temporary home in a folder; agents' homes that are not specified do not exist. */
export function makeHome(folder: string, agents: { claude?: string | null; codex?: string | null }): Home {
  const nowhere = join(folder, 'nowhere');
  return {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      USERPROFILE: folder,
      HF_HOME: nowhere,
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      SMART_FORK_HOME: join(folder, '.smart-fork'),
      CLAUDE_CONFIG_DIR: agents.claude ?? nowhere,
      CODEX_HOME: agents.codex ?? nowhere,
    },
  };
}

/** Milliseconds from start to end of a `smart-fork` process. */
export function timeCli(home: Home, ...words: string[]): number {
  return timeProcess(home, CLI, ...words);
}

/** Milliseconds from start to end of a Node process. */
export function timeProcess(home: Home, ...words: string[]): number {
  const started = performance.now();
  runProcess(home, words);
  return performance.now() - started;
}

/** Peak memory of a `smart-fork` process in MB. */
export function memoryOfCli(home: Home, ...words: string[]): number {
  const report = join(home.env.HOME ?? '', 'max-rss');
  const code = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`;
  runProcess(home, ['--import', `data:text/javascript,${encodeURIComponent(code)}`, CLI, ...words]);
  return Number(readFileSync(report, 'utf8')) / 1024;
}

/** Peak memory of this process so far in MB. */
export function ownMemory(): number {
  return process.resourceUsage().maxRSS / 1024;
}

function runProcess({ env }: Home, words: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`node ${words.join(' ')} failed: ${stderr}`);
}

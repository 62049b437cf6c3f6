import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compose } from '../../../src/compose/parts.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Bench, Row } from '../bench.ts';
import { type Home, makeHome, timeCli } from '../processes.ts';

const RUNS = 41;

export const suggest: Bench = {
  name: 'suggest',
  describe: 'the hooks that suggest sessions at the start of one',
  async run({ scratch, claudeHome, codexHome }) {
    const home = makeHome(scratch, { claude: claudeHome, codex: codexHome });
    timeCli(home, 'index', '--no-embed', '--json');
    const remote = await busiestRemote(home);
    if (remote === null) return 'no sessions of a repository with a remote';
    const folder = checkOut(scratch, remote);
    // Poses as the worker, so that hooks do not start one.
    writeFileSync(join(scratch, '.smart-fork/worker.json'), JSON.stringify({ pid: process.pid }));
    const settings = join(scratch, '.smart-fork/config.json');
    const time = (event: string, source: string) => timesOf(home, event, folder, source);
    const off = time('UserPromptSubmit', 'off');
    writeFileSync(settings, JSON.stringify({ memory: { suggest: 'quiet', suggest_ms: 10_000 } }));
    const [start, prompt] = [time('SessionStart', 'startup'), time('UserPromptSubmit', 'on')];
    return [
      ...rowsOf('a prompt’s hook, memory.suggest off', off, null),
      ...rowsOf('a suggestion at the start', start, 300),
      ...rowsOf('a suggestion for the first prompt', prompt, 300),
    ];
  },
};

async function busiestRemote({ env }: Home): Promise<string | null> {
  const parts = await compose(await loadConfig(env));
  try {
    const { sessions } = await (await parts.store()).list({}, 100_000);
    const counts = new Map<string, number>();
    for (const { repo_key } of sessions)
      if (repo_key !== null) counts.set(repo_key, (counts.get(repo_key) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
  } finally {
    await parts.close();
  }
}

/** A folder that looks like a clone. */
function checkOut(scratch: string, remote: string): string {
  const folder = join(scratch, 'clone');
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), `[remote "origin"]\n\turl = https://${remote}.git\n`);
  return folder;
}

/** Milliseconds of each run, in order. */
function timesOf({ env }: Home, event: string, cwd: string, label: string): number[] {
  const prompt = 'Look at src/index.ts, packages/core/src/index.ts and docs/guide/setup.md';
  const name = event === 'SessionStart' ? 'session-start' : 'user-prompt-submit';
  const times = Array.from({ length: RUNS }, (_, run) => {
    const session = { session_id: `${label}-${run}`, source: 'startup' };
    const input = JSON.stringify({ ...session, cwd, prompt, hook_event_name: event });
    const started = performance.now();
    spawnSync(process.execPath, [resolve('dist', 'bin.cjs'), 'hook', name], { env, input, stdio: 'pipe' });
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b);
}

function rowsOf(what: string, times: number[], most: number | null): Row[] {
  return [0.5, 0.95].map((share) => ({
    what: `${what}, p${share * 100}`,
    measured: { value: times[Math.ceil(times.length * share) - 1] ?? 0, unit: 'ms' },
    floor: null,
    target: share === 0.95 && most !== null ? { of: 'measured', most } : null,
  }));
}

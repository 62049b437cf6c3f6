import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CLI = resolve('dist', 'cli', 'main.js');

export interface RunningServer {
  url: string;
  port: number;
  token: string;
  process: ChildProcess;
  /** What it has printed to stderr. */
  log(): string;
  /** Ends it, if it still runs, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs the built `smart-fork serve` on a free port. Rejects with its stderr if it ends instead. */
export async function startServe(
  { env, cwd, program = CLI }: { env: Record<string, string>; cwd?: string; program?: string },
  ...words: string[]
): Promise<RunningServer> {
  const child = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', ...words], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, log] = ['', ''];
  child.stderr.on('data', (part) => {
    log += part;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      out += part;
      if (out.includes('\n')) resolve();
    });
    child.once('exit', () => reject(new Error(`serve ended: ${log}`)));
  });
  const { url } = JSON.parse(out) as { url: string };
  return {
    url,
    port: Number(new URL(url).port),
    process: child,
    token: readFileSync(join(env.SMART_FORK_HOME ?? '', 'serve-token'), 'utf8').trim(),
    log: () => log,
    async stop(signal = 'SIGINT') {
      if (child.exitCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { releaseDatabases } from '../stores/release-databases.ts';

export interface RunHereOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

const nativeImport: (url: string) => Promise<unknown> = createRequire(import.meta.url)('./native-import.cjs');
const state = { runs: 0, isRunning: false };

/** Whether no command is running in this process: each needs its streams and environment. */
export function isFreeHere(): boolean {
  return !state.isRunning;
}

/**
 * Runs the built command line in this process with its own environment, folder and streams, because starting Node
 * takes longer than most commands. Only the bundle's first module is evaluated again for each command.
 */
export async function runHere(words: string[], { cwd, env }: RunHereOptions) {
  state.isRunning = true;
  state.runs += 1;
  const [stdout, stderr] = [collector(), collector()];
  const restore = borrowProcess(words, { cwd, env }, { stdout, stderr, stdin: Readable.from([]) });
  try {
    await nativeImport(`${pathToFileURL(resolve(root, 'dist/cli/main.js'))}?run=${state.runs}`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    // Windows cannot delete an open file.
    if (process.platform === 'win32') await releaseDatabases();
    state.isRunning = false;
  }
  return { status: restore(), signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

const root = resolve('.');

function collector() {
  const parts: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (part: string | Buffer, _encoding, done) => {
      parts.push(String(part));
      done();
    },
  });
  return Object.assign(stream, { text: () => parts.join('') });
}

/** Lends the process to a command. The returned function takes it back and returns the exit code. */
function borrowProcess(
  words: string[],
  { cwd, env }: RunHereOptions,
  streams: { stdout: Writable; stderr: Writable; stdin: Readable },
): () => number {
  const before = {
    cwd: process.cwd(),
    env: { ...process.env },
    argv: process.argv,
    exitCode: process.exitCode,
    log: console.log,
  };
  const names = Object.keys(streams) as (keyof typeof streams)[];
  const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const name of names)
    Object.defineProperty(process, name, { configurable: true, value: streams[name] });
  setEnvironment(env);
  process.chdir(cwd);
  process.argv = [process.argv[0] ?? 'node', resolve(root, 'dist/bin.cjs'), ...words];
  process.exitCode = undefined;
  // yargs prints help through it.
  console.log = (text: string) => streams.stdout.write(`${text}\n`);
  return () => {
    const code = Number(process.exitCode ?? 0);
    for (const [name, descriptor] of own)
      if (descriptor !== undefined) Object.defineProperty(process, name, descriptor);
    setEnvironment(before.env);
    process.chdir(before.cwd);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
    console.log = before.log;
    return code;
  };
}

/** Changes the environment in place, because native code reads it too. */
function setEnvironment(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { RUNTIME, RUNTIME_VERSION } from './find-runtime.ts';

interface InstallRuntimeOptions {
  /** Folder of the package.json and package-lock.json that pin it. */
  manifest: string;
  /** The folder in smart-fork's home into which it is installed. */
  home: string;
  /** The path of npm; null if it is not on the PATH. */
  npm: string | null;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/**
 * Installs the runtime with npm, which knows the user's registry and proxy. The lock file pins versions and hashes. Install scripts do
 * not run, because one would download CUDA libraries. The folder gets its final name once the runtime loads.
 * @throws SmartForkError MODEL_UNAVAILABLE, or the signal's reason
 */
export async function installRuntime(options: InstallRuntimeOptions): Promise<void> {
  const { manifest, home, npm, env, signal } = options;
  if (npm === null) throw failure('npm is not on the PATH');
  const folder = dirname(home);
  const aside = join(folder, `${basename(home)}.${process.pid}.tmp`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeOthers(folder, basename(home));
    mkdirSync(aside, { mode: 0o700 });
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(manifest, file), join(aside, file));
    await runNpm(npm, { cwd: aside, env, signal });
    removeOtherPlatforms(join(aside, 'node_modules', RUNTIME, 'bin'));
    await run(process.execPath, ['-e', `require('${RUNTIME}')`], { cwd: aside, env, signal });
    rmSync(home, { recursive: true, force: true });
    renameSync(aside, home);
  } catch (error) {
    signal?.throwIfAborted();
    throw failure(reasonOf(error), error);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Removes earlier versions, and what an interrupted run left behind. */
function removeOthers(folder: string, name: string): void {
  for (const other of readdirSync(folder))
    if (other !== name) rmSync(join(folder, other), { recursive: true, force: true });
}

const NPM_ARGUMENTS = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];

interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal | undefined;
}

function runNpm(npm: string, options: RunOptions): Promise<void> {
  // On Windows npm is a script, which only a shell can run.
  const shell = /\.(?:cmd|bat)$/i.test(npm);
  return run(shell ? `"${npm}"` : npm, NPM_ARGUMENTS, options, shell);
}

async function run(program: string, args: string[], options: RunOptions, shell = false): Promise<void> {
  await promisify(execFile)(program, args, { ...options, shell, windowsHide: true, maxBuffer: 16_000_000 });
}

/** `bin/napi-vN/<platform>/<arch>`: this machine's files are a sixth of it. */
function removeOtherPlatforms(bin: string): void {
  for (const api of readdirSync(bin)) {
    for (const platform of readdirSync(join(bin, api))) {
      for (const arch of readdirSync(join(bin, api, platform))) {
        if (platform === process.platform && arch === process.arch) continue;
        rmSync(join(bin, api, platform, arch), { recursive: true, force: true });
      }
    }
  }
}

/** The last message from npm or Node, on one line. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const told = lines.filter(
    (line) => line !== '' && !/^(?:at |code |errno |A complete log|Node\.js v)/.test(line),
  );
  const first = told.find((line) => /^\w*Error:/.test(line)) ?? told[0];
  return first ?? errorText(error);
}

function failure(reason: string, cause?: unknown): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot install ${RUNTIME} ${RUNTIME_VERSION}: ${reason}`, {
    hint: `It has builds for Linux with glibc, Windows, and Macs with Apple silicon. To install it by hand: npm install -g --ignore-scripts ${RUNTIME}@${RUNTIME_VERSION}. Keyword search works without it.`,
    cause,
  });
}

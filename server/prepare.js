// Installs the plugin's locked packages and builds the plugin in its own folder. Runs as a detached process, because it can take
// longer than a client waits. The folder `.preparing` is the lock.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An older lock was left behind by a process that died. */
const STALE_MS = 10 * 60_000;
const BUILD = ['npm ci --ignore-scripts --no-audit --no-fund', 'node build.js'];
/** Removes the build's own packages afterwards; the server does not wait for this. */
const TIDY = ['npm prune --omit=dev --ignore-scripts --no-audit --no-fund'];

/** Whether this folder has a build and the packages it needs. */
export function isPrepared(root) {
  return !isPreparing(root) && existsSync(join(root, 'dist', 'cli', 'main.js')) && finds(root, 'sqlite-vec');
}

export function isPreparing(root) {
  return existsSync(join(root, '.preparing'));
}

function finds(root, name) {
  try {
    createRequire(join(root, 'package.json')).resolve(name);
    return true;
  } catch {
    // Not installed.
    return false;
  }
}

/** Starts the install in the background unless one is running; returns the path of its log. */
export function startPreparing(root) {
  const lock = join(root, '.preparing');
  const log = join(root, 'prepare.log');
  if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > STALE_MS) rmSync(lock, { recursive: true });
  if (!takeLock(lock)) return log;
  const out = openSync(log, 'w');
  spawn(process.execPath, [fileURLToPath(import.meta.url), root], {
    cwd: root,
    detached: true,
    stdio: ['ignore', out, out],
  }).unref();
  return log;
}

function takeLock(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function prepare(root) {
  const built = await runAll(BUILD, root);
  rmSync(join(root, '.preparing'), { recursive: true, force: true });
  if (!built || !(await runAll(TIDY, root))) process.exitCode = 1;
}

async function runAll(steps, root) {
  for (const step of steps) {
    process.stdout.write(`$ ${step}\n`);
    const code = await run(step, root);
    if (code === 0) continue;
    process.stdout.write(`failed with exit code ${code}\n`);
    return false;
  }
  return true;
}

function run(step, root) {
  return new Promise((resolve) => {
    spawn(step, { cwd: root, shell: true, stdio: 'inherit' })
      .on('error', () => resolve(1))
      .on('exit', resolve);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] !== undefined)
  await prepare(process.argv[2]);

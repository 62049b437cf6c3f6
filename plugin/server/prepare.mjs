// Prepares smart-fork for the plugin, once: installs the packages that the build needs, as package-lock.json pins them, builds,
// and keeps the program with its own packages in smart-fork's folder. It runs as a detached process, because it can take longer
// than a client waits. The folder `preparing` is the lock; the file `step` in it says what is being done.
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const { findProgram, prepared, programs } = createRequire(import.meta.url)('./find-program.cjs');

/** An older lock was left behind by a process that died. */
const STALE_MS = 10 * 60_000;
/** Read by the build, and then removed. */
const SOURCES = ['package-lock.json', '.npmrc', 'build.js', 'build', 'src', 'LICENSE'];
/** Read by the program. */
const PARTS = ['package.json', 'runtime', 'plugin', 'examples'];
/** Development packages that the build does not use. onnxruntime-node alone takes 280 MB. */
const NOT_FOR_THE_BUILD = [
  '@biomejs/biome',
  '@types/node',
  '@types/yargs',
  '@vitest/coverage-v8',
  'ajv',
  'ajv-formats',
  'onnxruntime-node',
  'typescript',
  'vitest',
];
const NPM = '--ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error';
const STEPS = [
  ['installing packages', `npm install ${NPM}`],
  ['building', 'node build.js'],
  ['removing build packages', `npm prune --omit=dev ${NPM}`],
];

const lock = () => join(programs(), 'preparing');
const log = () => join(programs(), 'prepare.log');

/** Whether a program was prepared here, rather than installed by the user. */
export function isPrepared(program) {
  return program.startsWith(join(programs(), sep));
}

/** Whether the program prepared last was built from another state of the clone. */
export function isOutdated(clone) {
  const folder = prepared();
  return folder !== undefined && clone !== undefined && basename(folder) !== nameOf(clone);
}

/**
 * Starts preparing in the background unless another process does.
 * @param {string | undefined} clone the repository; undefined if it was not found.
 */
export function startPreparing(clone) {
  const since = Date.now();
  if (clone !== undefined && takeLock()) startProcess(clone);
  const state = () => (findProgram() !== undefined ? 'done' : isPreparing() ? 'preparing' : 'failed');
  return { state, tell: () => tell(clone, state(), since) };
}

function tell(clone, state, since) {
  const wait = `for ${Math.round((Date.now() - since) / 1000)} s now`;
  if (clone === undefined)
    return 'smart-fork is not installed: nothing was searched. To install it, run `npm ci && npm install -g "$(npm pack --silent)"` in a clone of its repository, then restart this agent.';
  if (state === 'failed')
    return `smart-fork could not be installed for this plugin: nothing was searched. See ${log()}. To install it manually, run \`npm install -g ${clone}\`, then restart this agent.`;
  const step = read(join(lock(), 'step')) ?? STEPS[0][0];
  return `smart-fork is being set up, once only: ${step} (${wait}; this takes about a minute). Nothing was searched. Try again soon.`;
}

function takeLock() {
  fs.mkdirSync(programs(), { recursive: true, mode: 0o700 });
  if (isStale()) fs.rmSync(lock(), { recursive: true, force: true });
  try {
    fs.mkdirSync(lock());
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isPreparing() {
  return fs.existsSync(lock()) && !isStale();
}

function isStale() {
  const time = fs.statSync(lock(), { throwIfNoEntry: false })?.mtimeMs;
  return time !== undefined && Date.now() - time > STALE_MS;
}

function startProcess(clone) {
  const out = fs.openSync(log(), 'w', 0o600);
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), clone], {
    detached: true,
    stdio: ['ignore', out, out],
  });
  child.unref();
  fs.closeSync(out);
}

/** The version and, in a repository, the commit: another state is another program. */
function nameOf(clone) {
  const { version } = JSON.parse(fs.readFileSync(join(clone, 'package.json'), 'utf8'));
  const { status, stdout } = spawnSync('git', ['-C', clone, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? `${version}-${stdout.trim().slice(0, 12)}` : version;
}

async function prepare(clone) {
  const name = nameOf(clone);
  const folder = join(programs(), name);
  fs.rmSync(folder, { recursive: true, force: true });
  for (const part of [...SOURCES, ...PARTS]) copy(join(clone, part), join(folder, part));
  const manifest = join(folder, 'package.json');
  fs.writeFileSync(manifest, JSON.stringify(forTheBuild(fs.readFileSync(manifest, 'utf8'))));
  for (const [step, command] of STEPS) {
    fs.writeFileSync(join(lock(), 'step'), step);
    process.stdout.write(`$ ${command}\n`);
    const code = await run(command, folder);
    if (code !== 0) throw new Error(`${command} failed with exit code ${code}`);
  }
  for (const part of SOURCES) fs.rmSync(join(folder, part), { recursive: true, force: true });
  use(name);
}

function copy(from, to) {
  if (fs.existsSync(from)) fs.cpSync(from, to, { recursive: true });
}

function forTheBuild(text) {
  const manifest = JSON.parse(text);
  for (const name of NOT_FOR_THE_BUILD) delete manifest.devDependencies[name];
  // Otherwise npm would build before it removes the build's packages.
  delete manifest.scripts;
  return manifest;
}

/** Makes a program the current one. The previous one stays for processes that still run it; older ones are removed. */
function use(name) {
  const before = prepared();
  const next = join(programs(), 'current.new');
  fs.writeFileSync(next, name);
  fs.renameSync(next, join(programs(), 'current'));
  const kept = [name, before === undefined ? name : basename(before)];
  for (const entry of fs.readdirSync(programs(), { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== basename(lock()) && !kept.includes(entry.name))
      fs.rmSync(join(programs(), entry.name), { recursive: true, force: true });
}

function run(command, cwd) {
  return new Promise((resolve) => {
    spawn(command, { cwd, shell: true, stdio: 'inherit' })
      .on('error', () => resolve(1))
      .on('exit', resolve);
  });
}

function read(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    // Not written yet.
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] !== undefined) {
  try {
    await prepare(process.argv[2]);
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    fs.rmSync(lock(), { recursive: true, force: true });
  }
}

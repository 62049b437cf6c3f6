#!/usr/bin/env node
// Starts the MCP server for a plugin. A plugin's folder is a copy of the repository, usually without what is built or
// installed: so the first of these that is there serves, and the last one makes the first.
//   1. this folder's own build
//   2. smart-fork on the PATH
//   3. this folder, after installing its locked packages and building it, once (prepare.js)
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isPrepared, isPreparing, startPreparing } from './prepare.js';

/** Clients wait 30 seconds for a server to start. */
const PATIENCE_MS = 24_000;
const LOOK_EVERY_MS = 250;

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'dist', 'cli', 'main.js');
const args = ['mcp', ...process.argv.slice(2)];
const installed = isPrepared(root) ? null : findOnPath('smart-fork');

if (isPrepared(root)) await serve();
else if (installed !== null) pass(installed);
else await prepareAndServe();

async function serve() {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/** Another process serves, on our streams. */
function pass(command) {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  const child = spawn(process.platform === 'win32' ? `"${command}"` : command, args, options);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${command} cannot be started: ${error.message}`));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

async function prepareAndServe() {
  const log = startPreparing(root);
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (isPrepared(root)) return serve();
    if (!isPreparing(root))
      return fail(`smart-fork could not be installed and built for this plugin: ${log} says why.`);
  }
  fail(`smart-fork is being installed and built for this plugin (${log}). Connect again in a minute.`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function findOnPath(name) {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) {
    const found = names.map((file) => join(folder, file)).find((file) => existsSync(file));
    if (found !== undefined) return found;
  }
  return null;
}

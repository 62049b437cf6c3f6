#!/usr/bin/env node
// Starts the MCP server for a plugin. A plugin's folder is a copy of the repository, usually without a build or installed
// packages. The first of these that exists is used:
//   1. this folder's own build
//   2. smart-fork on the PATH
//   3. this folder, after a one-time install of its locked packages and a build (prepare.js)
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isPrepared, isPreparing, startPreparing } from './prepare.js';

/** Clients wait 30 seconds for a server to start. */
const TIMEOUT_MS = 24_000;
const POLL_MS = 250;

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'dist', 'cli', 'main.js');
const args = ['mcp', ...process.argv.slice(2)];
const installed = isPrepared(root) ? null : findOnPath('smart-fork');

if (isPrepared(root)) await serve();
else if (installed !== null) delegate(installed);
else await prepareAndServe();

async function serve() {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/** Runs another program as the server, on our stdin and stdout. */
function delegate(command) {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  const child = spawn(process.platform === 'win32' ? `"${command}"` : command, args, options);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`cannot start ${command}: ${error.message}`));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

async function prepareAndServe() {
  const log = startPreparing(root);
  const until = Date.now() + TIMEOUT_MS;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (isPrepared(root)) return serve();
    if (!isPreparing(root)) return fail(`cannot install and build smart-fork for this plugin; see ${log}`);
  }
  fail(`smart-fork is still being installed and built for this plugin (log: ${log}). Reconnect in a minute.`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function findOnPath(name) {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  // Relative and empty entries mean the current folder, which may be a cloned repository.
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    const found = names.map((file) => join(folder, file)).find((file) => existsSync(file));
    if (found !== undefined) return found;
  }
  return null;
}

#!/usr/bin/env node
import * as module from 'node:module';
import { join } from 'node:path';
import { type HookOptions, looksLikeHook, runHook, runIndexHook, type Suggest } from './hook/hook.ts';

// The program `smart-fork`. Every answer of an agent waits for its hook, so hooks are recognized before anything else is loaded, and
// this is the only CommonJS file: Node starts it sooner, which makes a hook a third faster.
const args = process.argv.slice(2);
const options: HookOptions = {
  env: process.env,
  stdin: () => process.stdin,
  suggest: () => loadSuggest(),
  worker: [process.execPath, join(__dirname, 'bin.cjs'), 'worker'],
};

if (args[0] === 'hook') {
  process.on('uncaughtException', () => undefined);
  void runHook(args[1], options);
} else if (args.length === 1 && ['--version', '-V', '--help', '-h'].includes(args[0] ?? '')) {
  void startCli('./cli/print-about.js');
} else if (looksLikeHook(args)) {
  void runIndexHook(options).then((done) => (done ? undefined : startCli()));
} else {
  void startCli();
}

/**
 * Loads the CLI, which is built as ES modules; the path is a variable so that the bundler leaves it alone. Node 22.1 and later
 * cache compiled code between runs: compiling takes half the time of a short command. The demo must leave nothing behind, so it
 * runs without the cache.
 */
function startCli(main = './cli/main.js'): Promise<unknown> {
  if ('enableCompileCache' in module && args[0] !== 'demo') module.enableCompileCache();
  return import(main);
}

/** In its own file, so that as little as possible is loaded. */
async function loadSuggest(file = './suggest.js'): Promise<Suggest> {
  const { suggest }: { suggest: Suggest } = await import(file);
  return suggest;
}

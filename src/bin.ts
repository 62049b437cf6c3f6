#!/usr/bin/env node
import * as module from 'node:module';
import { join } from 'node:path';
import { type HookOptions, looksLikeHook, runHook, runIndexHook } from './hook/hook.ts';

// The program `smart-fork`. Every answer of an agent waits for its hook, so hooks are told apart before anything else is
// loaded, and this one file is CommonJS, which Node starts sooner: a hook is a third faster for it.
const words = process.argv.slice(2);
const options: HookOptions = {
  env: process.env,
  stdin: () => process.stdin,
  worker: [process.execPath, join(__dirname, 'bin.cjs'), 'worker'],
};

if (words[0] === 'hook') {
  process.on('uncaughtException', () => undefined);
  void runHook(words[1], options);
} else if (looksLikeHook(words)) {
  void runIndexHook(options).then((done) => (done ? undefined : startCli()));
} else {
  void startCli();
}

/**
 * Keeps compiled code between runs where Node can (22.1 and later): half of a short command's time is compiling. The path
 * is kept from the bundler: what follows is built as modules. The demo leaves nothing behind, not even that.
 */
function startCli(main = './cli/main.js'): Promise<unknown> {
  if ('enableCompileCache' in module && words[0] !== 'demo') module.enableCompileCache();
  return import(main);
}

import { join } from 'node:path';
import { runHook } from './hook.ts';

// The hook as a program of its own: `node dist/hook/main.cjs stop`. Built as CommonJS, which Node starts a fifth sooner.
process.on('uncaughtException', () => undefined);
void runHook(process.argv[2], {
  env: process.env,
  stdin: () => process.stdin,
  worker: [process.execPath, join(__dirname, '..', 'cli', 'main.js'), 'worker'],
});

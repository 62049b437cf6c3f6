import { fileURLToPath } from 'node:url';
import { runHook } from './hook.ts';

// The hook by itself, for those who call it by its path: `node dist/hook/main.js stop`.
process.on('uncaughtException', () => undefined);
await runHook(process.argv[2], {
  env: process.env,
  stdin: () => process.stdin,
  worker: [process.execPath, fileURLToPath(new URL('../cli/main.js', import.meta.url)), 'worker'],
});

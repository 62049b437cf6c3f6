#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts';

// The demo leaves nothing behind, not even that.
if (process.argv[2] !== 'demo') enableCompileCache();
const { runCli } = await import('./run-cli.ts');
await runCli(process.argv.slice(2));

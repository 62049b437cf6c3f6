#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts';

enableCompileCache();
const { runCli } = await import('./run-cli.ts');
await runCli(process.argv.slice(2));

// Measures how much a hook delays its agent, and how soon search finds a turn. Prints a table:
// node test/bench/hook-bench.js
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'hook-bench-'));
const outfile = join(folder, 'bench.mjs');
try {
  await build({
    entryPoints: [join(root, 'test/bench/measures/measure-hook.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test/support/machines')) },
  });
  const { measureHook } = await import(pathToFileURL(outfile).href);
  console.table(await measureHook());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

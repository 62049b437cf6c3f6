// Bundles and runs a TypeScript program of test/, because Node runs TypeScript directly only from 22.18 on.
// node test/support/run-bundled.js test/eval/run.ts [words…]
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [entry = '', ...words] = process.argv.slice(2);
const bundle = resolve('node_modules', '.cache', 'smart-fork', `${entry.replace(/\W+/g, '-')}.mjs`);
await build({
  entryPoints: [entry],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
process.argv = [process.argv[0] ?? 'node', join(bundle), ...words];
await import(pathToFileURL(bundle).href);

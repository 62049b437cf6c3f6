// Bundles the CLI and the library into dist/. Native packages stay external.
//
// Each optimization below states what it saves of a keyword search: CPU time (user + system) with and without it, the median difference
// of 30 alternating pairs on Node 20 and 24. A search takes about 4.8 and 3.4 times as long as `node -e 0`. An optimization that saves less
// than 5 ms is not worth its lines. `--version` and `--help` take 1.5 and 1.3 times as long: their entry point loads next to nothing.
import { build } from 'esbuild';
import { buildPage } from './build/page.js';
import { newFolderFor, replaceFolder } from './build/replace-folder.js';
import { startTogether } from './build/start-together.js';

/** Becomes dist/ when it is complete: hooks keep firing during a build. */
const NEW = newFolderFor('dist');

/** yargs formats its help with string-width, which loads emoji tables. Saves 17 ms. Older packages `require` it as a function and keep their own copy. */
const lighterStringWidth = {
  name: 'lighter-string-width',
  setup(build) {
    build.onResolve({ filter: /^string-width$/ }, ({ kind, resolveDir }) =>
      kind === 'import-statement' ? build.resolve('fast-string-width', { kind, resolveDir }) : undefined,
    );
  },
};

const modules = {
  entryPoints: ['src/cli/main.ts', 'src/cli/print-about.ts', 'src/index.ts'],
  outdir: NEW,
  outbase: 'src',
  bundle: true,
  splitting: true,
  // Coverage per source file needs source maps.
  ...(process.argv.includes('--maps') && { sourcemap: 'inline' }),
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  // Saves 3 ms, and half of the package's size.
  minify: true,
  external: ['@photostructure/sqlite', 'onnxruntime-node', 'sqlite-vec'],
  // jsonc-parser's main file requires its modules dynamically, which a bundler cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [lighterStringWidth],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};
await build({
  ...modules,
  plugins: [lighterStringWidth, startTogether(['src/cli/run-cli.ts', 'src/cli/search/run-search.ts'])],
});

// Agents wait for their hooks. A single CommonJS file saves 7 ms per hook over an ES module; minifying it saves nothing.
await build({
  entryPoints: ['src/bin.ts'],
  outfile: `${NEW}/bin.cjs`,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
});

// The hook's suggestions, in a single file because the agent waits for it.
await build({
  ...modules,
  entryPoints: ['src/cli/suggest/answer-hook.ts'],
  outdir: undefined,
  outbase: undefined,
  outfile: `${NEW}/suggest.js`,
  splitting: false,
});

// The server's worker runs in a thread of its own.
await build({
  ...modules,
  entryPoints: ['src/http/worker/worker-thread.ts'],
  outdir: undefined,
  outbase: undefined,
  outfile: `${NEW}/serve-worker.js`,
  splitting: false,
});

// A worker thread loads its own modules, so it gets one file with only what it needs.
await build({
  ...modules,
  entryPoints: ['src/adapters/sqlite/thread/writer-thread.ts'],
  outdir: undefined,
  outbase: undefined,
  outfile: `${NEW}/writer-thread.js`,
  splitting: false,
});

await buildPage(`${NEW}/page`);

replaceFolder('dist', NEW);

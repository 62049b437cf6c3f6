// Bundles the CLI and the library into dist/. Native packages stay external.
//
// Each optimization below states what it saves per start: CPU time (user + system) of `--version` and of a keyword search with and
// without it, the median difference of 24 alternating pairs on Node 20. With all optimizations, the two take about 2.5 and 5 times as long
// as `node -e 0`. An optimization that saves less than 5 ms is not worth its lines.
import { build } from 'esbuild';
import { cheapBuiltins } from './build/cheap-builtins.js';
import { eagerImports } from './build/eager-imports.js';
import { buildPage } from './build/page.js';
import { newFolderFor, replaceFolder } from './build/replace-folder.js';

/** Becomes dist/ when it is complete: hooks keep firing during a build. */
const NEW = newFolderFor('dist');

/** Packages cheap enough to load at every start. */
const LIGHT_PACKAGES = [
  'yargs',
  'yargs-parser',
  'y18n',
  'cliui',
  'escalade',
  'get-caller-file',
  'fast-string-width',
  'fast-string-truncated-width',
  'wrap-ansi',
  'strip-ansi',
  'ansi-regex',
  'ansi-styles',
  'chalk',
  'stemmer',
];

/** Lazily imported modules that a search does not need stay in their own files. Saves 30 ms (`--version`) and 28 ms (search). */
const LATE_MODULES =
  /^src\/(adapters\/(secretlint\/|qdrant\/rerank\/|onnx\/(pull|remove)-model)|cli\/(?!search\/(run-)?search|shared\/|terminal\/)\w+\/)/;

/**
 * yargs formats its help with string-width, which loads emoji tables. Saves 39 ms (`--version`), 36 ms (search), 40 ms
 * (`--help`). Older packages `require` it as a function and keep their own copy.
 */
const lighterStringWidth = {
  name: 'lighter-string-width',
  setup(build) {
    build.onResolve({ filter: /^string-width$/ }, ({ kind, resolveDir }) =>
      kind === 'import-statement' ? build.resolve('fast-string-width', { kind, resolveDir }) : undefined,
    );
  },
};

const modules = {
  entryPoints: ['src/cli/main.ts', 'src/index.ts'],
  outdir: NEW,
  outbase: 'src',
  bundle: true,
  splitting: true,
  // Coverage per source file needs source maps.
  sourcemap: process.argv.includes('--maps') ? 'inline' : undefined,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  // Minifying saves 8 ms (`--version`) and 9 ms (search), because there is less to read and parse.
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
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
  plugins: [
    ...modules.plugins,
    await eagerImports(modules, { start: 'src/cli/main.ts', light: LIGHT_PACKAGES, late: LATE_MODULES }),
    cheapBuiltins(LIGHT_PACKAGES),
  ],
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

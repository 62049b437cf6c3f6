// Bundles the CLI and the library into dist/. Native packages and the model's tokenizer stay outside;
// everything that start-up needs is inlined, because opening forty small files costs more than running them.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { cheapBuiltins } from './build/cheap-builtins.js';
import { eagerImports } from './build/eager-imports.js';

/** Packages that every start may load. */
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

/**
 * What takes long by itself, or is rare: reading a hundred kilobytes that nobody runs takes 4 ms of every start.
 */
const LATER =
  /(?:compose\/server|create-redactor|user-patterns|legacy-collection|archive-files|run-(?:sending|migration|key|demo|forgetting|reindexing|restore)|render-(?:status|stats|settings|session|scan|doctor|chain)|check-health|check-entries|archive-size)\.ts$/;

/**
 * yargs lays out its help with string-width, whose emoji tables take 25 ms to load. Older packages `require` it and call what
 * they get: they keep their own.
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
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  splitting: true,
  // Coverage is told by the sources.
  ...(process.argv.includes('--maps') && { sourcemap: 'inline' }),
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
  external: [
    '@huggingface/hub',
    '@huggingface/tokenizers',
    '@photostructure/sqlite',
    'onnxruntime-node',
    'sqlite-vec',
  ],
  // jsonc-parser's main file finds its parts at run time, where a bundler does not see them.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [lighterStringWidth],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};
rmSync('dist', { recursive: true, force: true });
await build({
  ...modules,
  plugins: [
    ...modules.plugins,
    await eagerImports(modules, { start: 'src/cli/main.ts', light: LIGHT_PACKAGES, later: LATER }),
    cheapBuiltins(LIGHT_PACKAGES),
  ],
});

// Every answer of an agent waits for the hook: one file, and CommonJS, which Node starts sooner.
await build({
  entryPoints: ['src/bin.ts'],
  outfile: 'dist/bin.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minify: true,
});

// A thread loads its modules anew: one file, with nothing in it but what it needs.
await build({
  ...modules,
  entryPoints: ['src/adapters/sqlite/thread/writer-thread.ts'],
  outdir: undefined,
  outbase: undefined,
  outfile: 'dist/writer-thread.js',
  splitting: false,
});

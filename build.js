// Bundles the CLI and the library into dist/. Native packages stay external.
//
// Each optimization below states what it saves of a keyword search: CPU time (user + system) with and without it, the median difference
// of 30 alternating pairs on Node 20 and 24. A search takes about 4.7 and 3.4 times as long as `node -e 0`. `--version` and `--help` take 1.5
// and 1.4 times as long, because their entry point loads next to nothing.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { cheapBuiltins } from './build/cheap-builtins.js';
import { buildPage } from './build/page.js';
import { newFolderFor, replaceFolder } from './build/replace-folder.js';
import { startTogether } from './build/start-together.js';
import { writeThirdPartyLicenses } from './build/third-party-licenses.js';

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

/** Installed by npm next to the bundles. */
const NATIVE_PACKAGES = ['@photostructure/sqlite', 'onnxruntime-node', 'sqlite-vec'];

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  metafile: true,
};

const modules = {
  ...options,
  format: 'esm',
  // Coverage per source file needs source maps.
  sourcemap: process.argv.includes('--maps') ? 'inline' : false,
  // Saves 3 ms, and half of the program's size.
  minify: true,
  external: NATIVE_PACKAGES,
  alias: {
    // jsonc-parser's main file requires its modules dynamically, which a bundler cannot follow.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // Saves 25 to 40 ms of a search that asks a server, and 520 kB.
    undici: './build/no-agent.js',
  },
  plugins: [lighterStringWidth],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

/** Bundles in a single file with only what it needs. */
const SINGLE_FILES = {
  // The agent waits for the hook's suggestions.
  'suggest.js': 'src/cli/suggest/answer-hook.ts',
  // A thread loads its own modules.
  'serve-worker.js': 'src/http/worker/worker-thread.ts',
  'writer-thread.js': 'src/adapters/sqlite/thread/writer-thread.ts',
};

const bundles = await Promise.all([
  build({
    ...modules,
    entryPoints: ['src/cli/main.ts', 'src/cli/print-about.ts', 'src/cli/list-commands.ts', 'src/index.ts'],
    outdir: NEW,
    outbase: 'src',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [lighterStringWidth, cheapBuiltins, startTogether(['src/cli/run-cli.ts'])],
  }),
  // Agents wait for their hooks. A single CommonJS file saves 7 ms per hook over an ES module; minifying it saves nothing.
  build({ ...options, format: 'cjs', entryPoints: ['src/bin.ts'], outfile: `${NEW}/bin.cjs` }),
  ...Object.entries(SINGLE_FILES).map(([name, entry]) =>
    build({ ...modules, entryPoints: [entry], outfile: `${NEW}/${name}` }),
  ),
  buildPage(`${NEW}/page`),
]);

writeThirdPartyLicenses(
  `${NEW}/THIRD-PARTY-LICENSES.txt`,
  bundles.map(({ metafile }) => metafile),
  NATIVE_PACKAGES,
);

// `--help` prints it without loading the commands.
const { listCommands } = await import(pathToFileURL(`${NEW}/cli/list-commands.js`).href);
writeFileSync(`${NEW}/commands.json`, JSON.stringify(await listCommands()));

replaceFolder('dist', NEW);

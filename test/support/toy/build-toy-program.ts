import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** The tables that a new agent is added to, and what takes their place. */
const TABLES = {
  'src/domain/agent/agents.ts': 'test/support/toy/agents.ts',
  'src/compose/agents/sources.ts': 'test/support/toy/sources.ts',
};

export interface ToyProgram {
  /** Like `dist/cli/main.js`. */
  main: string;
  /** Like `dist/index.js`. */
  library: string;
  remove(): void;
}

/** Builds the program, the library and the server's worker with the toy agent as a third one, laid out as in a package. */
export async function buildToyProgram(): Promise<ToyProgram> {
  const cache = resolve('node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'toy-program-'));
  for (const name of ['package.json', 'plugin', 'examples'])
    cpSync(resolve(name), join(folder, name), { recursive: true, dereference: true });
  const outdir = join(folder, 'dist');
  await build({
    ...COMMON,
    entryPoints: ['src/cli/main.ts', 'src/index.ts'],
    outdir,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  });
  for (const [name, entry] of Object.entries(THREADS))
    await build({ ...COMMON, entryPoints: { [name]: entry }, outdir });
  return {
    main: join(outdir, 'cli/main.js'),
    library: join(outdir, 'index.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const THREADS = {
  'serve-worker': 'src/http/worker/worker-thread.ts',
  'writer-thread': 'src/adapters/sqlite/thread/writer-thread.ts',
};

const withToy: Plugin = {
  name: 'with-toy',
  setup({ onResolve, resolve: find }) {
    const tables = Object.entries(TABLES).map(([table, instead]) => [resolve(table), resolve(instead)]);
    onResolve(
      { filter: /\/(?:agents|sources)\.ts$/ },
      async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === SEEN) return undefined;
        const found = await find(path, { importer, resolveDir, kind, pluginData: SEEN });
        const instead = tables.find(([table]) => table === found.path)?.[1];
        return instead === undefined || instead === importer ? found : { path: instead };
      },
    );
  },
};
const SEEN = 'seen';

const COMMON: BuildOptions = {
  bundle: true,
  outbase: 'src',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'error',
  external: ['@photostructure/sqlite', 'onnxruntime-node', 'sqlite-vec'],
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [withToy],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

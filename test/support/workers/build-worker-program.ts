import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The program with the worker as its only command, laid out as in `dist/`. */
export interface WorkerProgram {
  /** Like `smart-fork`, with the commands `hook` and `worker`. */
  program: string;
  remove(): void;
}

export async function buildWorkerProgram(): Promise<WorkerProgram> {
  const root = join(import.meta.dirname, '../../..');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'worker-program-'));
  const common: BuildOptions = { bundle: true, platform: 'node', target: 'node20.19', logLevel: 'error' };
  await build({
    ...common,
    entryPoints: [join(root, 'src/bin.ts')],
    outfile: join(folder, 'bin.cjs'),
    format: 'cjs',
    minify: true,
  });
  await build({
    ...common,
    entryPoints: { 'cli/main': join(root, 'test/support/workers/worker-entry.ts') },
    outdir: folder,
    splitting: true,
    format: 'esm',
    minify: true,
    // Bundled packages load in two thirds of the time.
    external: ['@photostructure/sqlite', 'onnxruntime-node', 'sqlite-vec'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return {
    program: join(folder, 'bin.cjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

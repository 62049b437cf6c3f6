import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The hook and a worker as programs, built from the sources as they are; laid out as in `dist/`. */
export interface Programs {
  hook: string;
  worker: string;
  remove(): void;
}

export async function buildPrograms(): Promise<Programs> {
  const root = join(import.meta.dirname, '../..');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'worker-programs-'));
  const common: BuildOptions = { bundle: true, platform: 'node', target: 'node20.19', logLevel: 'error' };
  await build({
    ...common,
    entryPoints: [join(root, 'src/hook/main.ts')],
    outfile: join(folder, 'hook/main.cjs'),
    format: 'cjs',
    minify: true,
  });
  await build({
    ...common,
    entryPoints: { 'cli/main': join(root, 'test/support/worker-entry.ts') },
    outdir: folder,
    splitting: true,
    format: 'esm',
    packages: 'external',
  });
  return {
    hook: join(folder, 'hook/main.cjs'),
    worker: join(folder, 'cli/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

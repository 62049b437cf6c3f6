import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

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
  await build({
    entryPoints: {
      'hook/main': join(root, 'src/hook/main.ts'),
      'cli/main': join(root, 'test/support/worker-entry.ts'),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
    external: [
      '@huggingface/hub',
      '@huggingface/tokenizers',
      '@photostructure/sqlite',
      'onnxruntime-node',
      'sqlite-vec',
    ],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return {
    hook: join(folder, 'hook/main.js'),
    worker: join(folder, 'cli/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

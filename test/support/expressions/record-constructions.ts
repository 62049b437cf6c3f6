import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { tempFolder } from '../files/temp-folder.ts';
import type { Construction } from './find-expressions.ts';

type Made = { place: string; source: string; flags: string };
type Module = Record<string, (...args: unknown[]) => unknown>;

/**
 * Every expression made of a string, with the place that made it: loads the files that make some, and calls the functions that make
 * theirs when they run.
 * @param calls by file: what to call, given the file's exports
 */
export async function recordConstructions(
  root: string,
  constructions: Construction[],
  calls: Record<string, (module: Module) => unknown>,
): Promise<Made[]> {
  const folder = tempFolder('expressions');
  const files = [...new Set(constructions.map(({ file }) => file))];
  const entryPoints = Object.fromEntries(files.map((file, at) => [String(at), file]));
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    external: ['@photostructure/sqlite', 'onnxruntime-node', 'sqlite-vec'],
    plugins: [recording(constructions)],
    logLevel: 'error',
  });
  const made = new Map<string, Made>();
  Object.assign(globalThis, {
    __madeExpression: (place: string, source: string | RegExp, flags?: string) => {
      const expression = new RegExp(source, flags);
      const one = { place, source: expression.source, flags: expression.flags };
      made.set(JSON.stringify(one), one);
      return expression;
    },
  });
  for (const [at, file] of files.entries()) {
    const module = (await import(pathToFileURL(`${folder}/${at}.mjs`).href)) as Module;
    await calls[relative(root, file).split(sep).join('/')]?.(module);
  }
  return [...made.values()];
}

/** Puts a call that records in the place of each `new RegExp`. */
function recording(constructions: Construction[]): Plugin {
  return {
    name: 'recording',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const own = constructions.filter(({ file }) => file === path).reverse();
        let contents = readFileSync(path, 'utf8');
        for (const { place, start, end } of own) {
          const call = `__madeExpression.bind(null, ${JSON.stringify(place)})`;
          contents = contents.slice(0, start) + call + contents.slice(end);
        }
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

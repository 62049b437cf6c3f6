// esbuild puts two modules into the same file only if the same entry points and lazy imports reach both. Opening and linking a file takes
// longer than running it, and the modules that every command needs would be spread over forty files. So each module of ours that is
// imported lazily also imports the given modules. That costs nothing, because they are loaded already, and makes esbuild put them into one
// file, with all that they import. Saves 40 ms on Node 20, 30 ms on Node 24.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * @param {string[]} modules that are loaded before any other.
 * @returns {import('esbuild').Plugin}
 */
export function startTogether(modules) {
  const paths = modules.map((path) => resolve(path));
  const lazy = lazyModules('src');
  return {
    name: 'start-together',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!lazy.has(path)) return undefined;
        const others = paths.filter((one) => one !== path).map((one) => `import ${JSON.stringify(one)};`);
        return { loader: 'ts', contents: others.join('') + readFileSync(path, 'utf8') };
      });
    },
  };
}

/** The paths of all modules that another one imports lazily. */
function lazyModules(folder) {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => resolve(folder, name));
  return new Set(
    sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/(?<!typeof )\bimport\('(\.[^']+)'\)/g)].map(([, target]) =>
        resolve(dirname(path), target),
      ),
    ),
  );
}

// The sources import lazily, so that no command loads code that it does not use. But for most modules, opening and linking a file
// takes longer than running it; only heavy packages deserve their own file. This plugin turns lazy imports of light modules into
// static ones, which saves 28 ms (`--version`) and 45 ms (search) per start. It also imports all light startup modules together, so
// that esbuild bundles them into as few files as possible. Without this second part, the first one costs 50 ms instead.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * @param {import('esbuild').BuildOptions} options of the build that uses the plugin.
 * @param {{ start: string, light: string[], late: RegExp }} settings the entry module, the packages it may load eagerly,
 *   and the modules that stay lazy because few commands need them.
 * @returns {Promise<import('esbuild').Plugin>}
 */
export async function eagerImports(options, { start, light, late }) {
  const { metafile } = await build({ ...options, write: false, metafile: true });
  const { inputs } = metafile;
  const isLight = lightModules(inputs, light, late);
  const together = startModules(inputs, start, isLight);
  const lazy = new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ kind, path }) => kind === 'dynamic-import' && !isLight(path)).map(({ path }) => path),
    ),
  );
  return {
    name: 'eager-imports',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^start-modules$/ }, ({ path }) => ({ path, namespace: 'start' }));
      onLoad({ filter: /.*/, namespace: 'start' }, () => ({
        contents: together.map((path) => `import './${path}';`).join('\n'),
        resolveDir: process.cwd(),
      }));
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const name = nameOf(path);
        const eager = rewrite(readFileSync(path, 'utf8'), (target) =>
          isLight(nameOf(resolve(dirname(path), target))),
        );
        // Modules shared by everything that loads later go into one file.
        const joined = name === start || lazy.has(name) ? `import 'start-modules';${eager}` : eager;
        return { loader: 'ts', contents: joined };
      });
    },
  };
}

/** Turns `import('./x.ts')` into a promise of a statically imported module. */
function rewrite(source, isLight) {
  let head = '';
  let count = 0;
  const body = source.replace(/(?<!typeof )\bimport\('(\.[^']+\.ts)'\)/g, (whole, target) => {
    if (!isLight(target)) return whole;
    count += 1;
    head += `import * as __eager${count} from '${target}';`;
    return `Promise.resolve(__eager${count})`;
  });
  return head + body;
}

/** Our own modules that load at startup, without the entry module. */
function startModules(inputs, start, isLight) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path) || !path.startsWith('src/')) return;
    found.add(path);
    for (const one of inputs[path]?.imports ?? [])
      if (one.kind === 'import-statement' || isLight(one.path)) visit(one.path);
  };
  visit(start);
  found.delete(start);
  return [...found];
}

/** Whether a module's static imports, direct and indirect, are all our own modules or light packages. */
function lightModules(inputs, light, late) {
  const known = new Map();
  const isAllowed = (path) => {
    const named = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    return named === undefined || light.includes(named);
  };
  const isLight = (path, seen) => {
    if (seen.has(path)) return true;
    seen.add(path);
    return (
      isAllowed(path) &&
      (inputs[path]?.imports ?? [])
        .filter(({ kind }) => kind === 'import-statement' || kind === 'require-call')
        .every((one) => (one.external ? isLightBuiltin(one.path) : isLight(one.path, seen)))
    );
  };
  return (path) => {
    if (!known.has(path)) known.set(path, !late.test(path) && isLight(path, new Set()));
    return known.get(path);
  };
}

/** Some built-in modules are as expensive to load as a package. */
function isLightBuiltin(path) {
  return isBuiltin(path) && !HEAVY_BUILTINS.includes(path.replace('node:', ''));
}

const HEAVY_BUILTINS = ['child_process', 'http', 'https', 'net', 'readline', 'worker_threads', 'zlib'];

/** A module's path as in esbuild's metafile. */
function nameOf(path) {
  return relative('.', path).replaceAll('\\', '/');
}

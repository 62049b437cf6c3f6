// Sources import lazily, so that no command pays for what it does not use. But what costs is a heavy package, or a
// file: opening and linking one takes longer than running what most of them hold. So lazy imports of light modules
// are made part of the file that asks for them, only those that lead to a heavy package stay lazy, and all light modules
// stand in the fewest files that esbuild can be brought to make.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * @param {import('esbuild').BuildOptions} options of the build that the plugin is for.
 * @param {{ start: string, light: string[], later: RegExp }} settings the program's first module, packages that it may load, and
 *   modules of ours that stay lazy although they are light: no short command needs them.
 * @returns {Promise<import('esbuild').Plugin>}
 */
export async function eagerImports(options, { start, light, later }) {
  const { metafile } = await build({ ...options, write: false, metafile: true });
  const { inputs } = metafile;
  const isLight = lightModules(inputs, light, later);
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
        // What is wanted by all that is loaded later is put into one file.
        const joined = name === start || lazy.has(name) ? `import 'start-modules';${eager}` : eager;
        return { loader: 'ts', contents: joined };
      });
    },
  };
}

/** `import('./x.ts')` becomes a promise of a module that is imported at the top. */
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

/** Our own modules that the start loads, itself apart. */
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

/** Tells whether all that a module imports at once, and all that those import, is of ours or of light packages. */
function lightModules(inputs, light, later) {
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
    if (!known.has(path)) known.set(path, !later.test(path) && isLight(path, new Set()));
    return known.get(path);
  };
}

/** Some of Node's own modules are as heavy as a package. */
function isLightBuiltin(path) {
  return isBuiltin(path) && !HEAVY_BUILTINS.includes(path.replace('node:', ''));
}

const HEAVY_BUILTINS = ['child_process', 'http', 'https', 'net', 'readline', 'worker_threads', 'zlib'];

/** A module's path as esbuild's metafile has it. */
function nameOf(path) {
  return relative('.', path).replaceAll('\\', '/');
}

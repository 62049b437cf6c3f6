// Sources import lazily, so that no command pays for what it does not use. But what costs is a heavy package, or a
// file: opening and linking one takes longer than running what most of them hold. So lazy imports of light modules
// are made part of the file that asks for them, and only those that lead to a heavy package stay lazy.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * An esbuild plugin that makes lazy imports of light modules eager.
 * @param {import('esbuild').BuildOptions} options of the build that it is for.
 * @param {string[]} light packages that may be part of the start.
 * @returns {Promise<import('esbuild').Plugin>}
 */
export async function eagerImports(options, light) {
  const { metafile } = await build({ ...options, keepNames: false, write: false, metafile: true });
  const isLight = lightModules(metafile.inputs, light);
  return {
    name: 'eager-imports',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
        loader: 'ts',
        contents: rewrite(readFileSync(path, 'utf8'), (target) =>
          isLight(relative('.', resolve(dirname(path), target)).replaceAll('\\', '/')),
        ),
      }));
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

/** Tells whether all that a module imports, at once or through light lazy imports, is of ours or of light packages. */
function lightModules(inputs, light) {
  const known = new Map();
  const visit = (path) => {
    if (known.has(path)) return known.get(path);
    known.set(path, true);
    const named = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    const imports = inputs[path]?.imports ?? [];
    const result =
      (named === undefined || light.includes(named)) &&
      imports
        .filter(({ kind }) => kind === 'import-statement' || kind === 'require-call')
        .every((one) => (one.external ? isBuiltin(one.path) : visit(one.path)));
    known.set(path, result);
    return result;
  };
  return visit;
}

// An ES module's import of one of Node's own modules asks it for all that it exports, which loads parts of Node that
// nobody wants: the streams of `process` cost 5 ms of every start, `util` and `assert` 2 to 3 ms each. Packages that every
// start loads want one or two functions of them.
const STAND_INS = {
  process: 'export default globalThis.process;',
  util: `const { format, inspect } = globalThis.process.getBuiltinModule('node:util');
    export { format, inspect };`,
  assert: `const check = (same) => { if (!same) throw new Error('yargs: a wrong argument'); };
    export const strictEqual = (one, other) => check(Object.is(one, other));
    export const notStrictEqual = (one, other) => check(!Object.is(one, other));`,
};

/**
 * An esbuild plugin that gives the packages named small stand-ins for three of Node's modules. The build fails when they come
 * to want more of them.
 * @param {string[]} packages
 * @returns {import('esbuild').Plugin}
 */
export function cheapBuiltins(packages) {
  return {
    name: 'cheap-builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:)?(process|util|assert)$/ }, ({ path, importer, kind }) => {
        const named = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(importer)?.[1];
        if (kind !== 'import-statement' || !packages.includes(named)) return undefined;
        return { path: path.replace('node:', ''), namespace: 'stand-in' };
      });
      onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] }));
    },
  };
}

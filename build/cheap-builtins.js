// An ES module's import of one of Node's own modules loads all that it exports, and what that needs, which a short command
// pays with 2 to 6 ms for each of these. Where the start wants one or two functions of them, it gets stand-ins.
const STAND_INS = {
  process: 'export default globalThis.process;',
  util: `const { format, inspect } = globalThis.process.getBuiltinModule('node:util');
    export { format, inspect };`,
  assert: `const check = (same) => { if (!same) throw new Error('yargs: a wrong argument'); };
    export const strictEqual = (one, other) => check(Object.is(one, other));
    export const notStrictEqual = (one, other) => check(!Object.is(one, other));`,
  // Only loaded when something is hashed or named.
  crypto: `const crypto = () => globalThis.process.getBuiltinModule('node:crypto');
    export const createHash = (...words) => crypto().createHash(...words);
    export const randomUUID = (...words) => crypto().randomUUID(...words);`,
  // chalk is always told how many colours there are; looking for itself, it loads what terminals need.
  colors: 'export default { stdout: false, stderr: false };',
};

/**
 * An esbuild plugin that gives stand-ins to our own modules and to the packages named. The build fails when they come to want
 * more of them.
 * @param {string[]} packages
 * @returns {import('esbuild').Plugin}
 */
export function cheapBuiltins(packages) {
  const standIn = (path) => ({ path, namespace: 'stand-in' });
  return {
    name: 'cheap-builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:)?(process|util|assert|crypto)$/ }, ({ path, importer, kind }) => {
        const named = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(importer)?.[1];
        const name = path.replace('node:', '');
        const wanted = name === 'crypto' ? named === undefined : packages.includes(named);
        return kind === 'import-statement' && wanted ? standIn(name) : undefined;
      });
      onResolve({ filter: /^#supports-color$/ }, () => standIn('colors'));
      onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] }));
    },
  };
}

// Importing a built-in module from an ES module loads everything that it exports, and modules behind it. yargs and chalk need little of
// these, and yargs has a file that nobody uses; they get a stand-in. Saves 3 ms.
const STAND_INS = {
  process: 'export default globalThis.process;',
  util: "export const { format, inspect } = globalThis.process.getBuiltinModule('node:util');",
  assert: `const check = (same) => { if (!same) throw new Error('yargs: invalid argument'); };
    export const strictEqual = (one, other) => check(Object.is(one, other));
    export const notStrictEqual = (one, other) => check(!Object.is(one, other));`,
  // chalk is always told the number of colours. Detecting it would load `os` and `tty`.
  '#supports-color': 'export default { stdout: false, stderr: false };',
  // smart-fork completes words itself.
  './completion.js': 'export const completion = () => ({ setParsed: () => undefined });',
};

/** @type {import('esbuild').Plugin} The build fails if they import anything else from these modules. */
export const cheapBuiltins = {
  name: 'cheap-builtins',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^((node:)?(process|util|assert)|#supports-color|\.\/completion\.js)$/ },
      ({ path, importer, kind }) =>
        kind === 'import-statement' && /[\\/]node_modules[\\/](yargs|yargs-parser|chalk)[\\/]/.test(importer)
          ? { path: path.replace('node:', ''), namespace: 'stand-in' }
          : undefined,
    );
    onLoad({ filter: /./, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] }));
  },
};

// The hook of a plugin. A plugin's folder is a copy of the repository, often without what is built or installed: so this
// folder's own build runs when it is whole, else the smart-fork that is installed on this machine, else nothing. It never
// prints and never fails, whatever is broken: an agent would show that to its user after each answer.
const { existsSync, realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { delimiter, isAbsolute, join } = require('node:path');

process.on('uncaughtException', () => undefined);
const root = join(__dirname, '..');
const program = isWhole(root) ? join(root, 'dist', 'bin.cjs') : installedProgram();
if (program !== undefined) {
  process.argv.splice(1, 2, program, 'hook', process.argv[2]);
  require(program);
}

/** Built, and with the packages that the worker runs with. */
function isWhole(folder) {
  return (
    existsSync(join(folder, 'dist', 'bin.cjs')) &&
    !existsSync(join(folder, '.preparing')) &&
    resolves(folder, 'sqlite-vec')
  );
}

function resolves(folder, name) {
  try {
    createRequire(join(folder, 'package.json')).resolve(name);
    return true;
  } catch {
    // Not installed: that is what was asked.
    return false;
  }
}

/** npm links a program on the PATH, and on Windows puts the package beside it. */
function installedProgram() {
  const folders = (process.env.PATH ?? process.env.Path ?? '').split(delimiter).filter(isAbsolute);
  return folders
    .flatMap((folder) => [
      realPath(join(folder, 'smart-fork')),
      join(folder, 'node_modules', 'smart-fork', 'dist', 'bin.cjs'),
    ])
    .find((path) => path.endsWith('bin.cjs') && existsSync(path));
}

function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    // Not there: the next one.
    return path;
  }
}

// A plugin's hook. A plugin's folder is a copy of the repository, often without a build or installed packages. So this runs the
// folder's own build if it is complete, else the smart-fork installed on this machine, else nothing. It never prints and never
// fails: an agent would show that to its user after every answer.
const { existsSync, realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { delimiter, isAbsolute, join } = require('node:path');

process.on('uncaughtException', () => undefined);
const root = join(__dirname, '..');
const program = isComplete(root) ? join(root, 'dist', 'bin.cjs') : installedProgram();
if (program !== undefined) {
  process.argv.splice(1, 2, program, 'hook', process.argv[2]);
  require(program);
}

/** Whether the folder has a build and the packages the worker needs. */
function isComplete(folder) {
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
    // Not installed.
    return false;
  }
}

/** npm links a program on the PATH; on Windows it puts the package next to it. */
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
    // Not there: the caller tries the next one.
    return path;
  }
}

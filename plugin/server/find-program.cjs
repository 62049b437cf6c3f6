// Where the plugin finds smart-fork. An agent installs a plugin by copying this folder, which has no program: it stays small, and
// installing it takes a second. The first of these is used:
//   1. smart-fork on the PATH
//   2. the clone that the plugin was installed from, if it is built and has its packages
//   3. the program that prepare.mjs put into smart-fork's own folder, once for all agents
const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { basename, delimiter, dirname, isAbsolute, join } = require('node:path');

exports.findProgram = () => {
  const clone = exports.findClone();
  return (
    onPath().find(isProgram) ?? [clone, exports.prepared()].filter(Boolean).map(programIn).find(isComplete)
  );
};

/** The folder of the program that prepare.mjs installed last, if there is one. */
exports.prepared = () => {
  const name = read(join(exports.programs(), 'current'))?.trim();
  return name ? join(exports.programs(), name) : undefined;
};

/** Where prepare.mjs installs programs. */
exports.programs = () => join(process.env.SMART_FORK_HOME || join(homedir(), '.smart-fork'), 'program');

/** The repository that this plugin was installed from. Both agents keep it, or know its path. */
exports.findClone = () => {
  const plugin = join(__dirname, '..');
  // plugins/cache/MARKETPLACE/PLUGIN/VERSION in the agent's folder
  const marketplace = basename(join(plugin, '..', '..'));
  const plugins = join(plugin, '..', '..', '..', '..');
  const candidates = [
    join(plugin, '..'),
    inClaude(plugins, marketplace),
    join(dirname(plugins), '.tmp', 'marketplaces', marketplace),
    inCodex(dirname(plugins), marketplace),
  ];
  return candidates.find((folder) => folder !== undefined && isClone(folder));
};

/** A folder on the PATH where smart-fork is a script, as version managers install it. */
exports.findCommand = () => {
  const names = process.platform === 'win32' ? ['smart-fork.cmd', 'smart-fork.exe'] : ['smart-fork'];
  return pathFolders()
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
};

function inClaude(plugins, marketplace) {
  try {
    return JSON.parse(read(join(plugins, 'known_marketplaces.json')))[marketplace].installLocation;
  } catch {
    // Not installed by Claude Code.
    return undefined;
  }
}

function inCodex(home, marketplace) {
  const sections = (read(join(home, 'config.toml')) ?? '').split(/^(?=\[)/m);
  const section = sections.find((one) => one.startsWith(`[marketplaces.${marketplace}]`)) ?? '';
  const [, value] = /^source *= *("(?:[^"\\]|\\.)*"|'[^']*')/m.exec(section) ?? [];
  try {
    return value?.startsWith("'") ? value.slice(1, -1) : JSON.parse(value);
  } catch {
    // Installed from somewhere else.
    return undefined;
  }
}

function isClone(folder) {
  try {
    return JSON.parse(read(join(folder, 'package.json'))).name === 'smart-fork';
  } catch {
    // Another folder.
    return false;
  }
}

/** npm links a program on the PATH; on Windows it puts the package next to it. */
function onPath() {
  return pathFolders().flatMap((folder) => [
    realPath(join(folder, 'smart-fork')),
    programIn(join(folder, 'node_modules', 'smart-fork')),
  ]);
}

/** Relative and empty entries mean the current folder, which may be a cloned repository. */
function pathFolders() {
  return (process.env.PATH ?? process.env.Path ?? '').split(delimiter).filter(isAbsolute);
}

function programIn(folder) {
  return join(folder, 'dist', 'bin.cjs');
}

function isProgram(path) {
  return path.endsWith('bin.cjs') && existsSync(path);
}

/** Whether the program of a folder has the packages that it needs. */
function isComplete(program) {
  if (!existsSync(program)) return false;
  try {
    createRequire(program).resolve('sqlite-vec');
    return true;
  } catch {
    // Not installed.
    return false;
  }
}

function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    // Not there: the caller tries the next one.
    return path;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not there.
    return undefined;
  }
}

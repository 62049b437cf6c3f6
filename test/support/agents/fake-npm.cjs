#!/usr/bin/env node
// npm without a registry: `install` links the packages of this repository that package.json asks for, with what these need;
// `prune` removes those of development.
const { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } = require('node:fs');
const { dirname, join } = require('node:path');

const repository = process.env.REPOSITORY;
const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const manifest = read('.');
const modules = join(process.cwd(), 'node_modules');
rmSync(modules, { recursive: true, force: true });
const isInstalling = process.argv[2] === 'install';
const wanted = {
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...(isInstalling && manifest.devDependencies),
};
const left = new Set(Object.keys(read(repository).devDependencies).filter((name) => !(name in wanted)));
const names = isInstalling ? all().filter((name) => !left.has(name)) : Object.keys(wanted);
for (const name of names) {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(join(repository, 'node_modules', name), join(modules, name));
}

function all() {
  return readdirSync(join(repository, 'node_modules')).flatMap((name) => {
    if (name.startsWith('.')) return [];
    if (!name.startsWith('@')) return [name];
    return readdirSync(join(repository, 'node_modules', name)).map((inner) => `${name}/${inner}`);
  });
}

// Loaded before the program (`node --import`). Kills the process before its nth change to a file or a database, and finally writes the
// number of changes to SMART_FORK_TEST_STEPS.
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { SMART_FORK_TEST_KILL_AT: last = '', SMART_FORK_TEST_STEPS: report = '' } = process.env;
const killAt = last === '' ? Number.POSITIVE_INFINITY : Number(last);
const { writeFileSync } = fs;
let steps = 0;

function step() {
  if (steps >= killAt) process.kill(process.pid, 'SIGKILL');
  steps += 1;
}

function stepBefore(target, names) {
  for (const name of names) {
    const real = target[name];
    target[name] = function (...args) {
      step();
      return Reflect.apply(real, this, args);
    };
  }
}

const changes = [
  'writeFile',
  'appendFile',
  'rename',
  'rm',
  'unlink',
  'mkdir',
  'copyFile',
  'link',
  'truncate',
];
stepBefore(fs.promises, changes);
stepBefore(
  fs,
  [...changes, 'write', 'fsync', 'ftruncate'].map((name) => `${name}Sync`),
);
stepBefore(fs, ['write', 'rename', 'unlink']);
syncBuiltinESMExports();

/** A database or statement that counts a step before each of its methods. */
function stepping(target, names) {
  return new Proxy(target, {
    get(real, name) {
      const value = Reflect.get(real, name, real);
      if (typeof value !== 'function') return value;
      return (...args) => {
        if (names.includes(name)) step();
        const result = Reflect.apply(value, real, args);
        return name === 'prepare' ? stepping(result, ['run']) : result;
      };
    },
  });
}

const constructed = (DatabaseSync) =>
  new Proxy(DatabaseSync, { construct: (real, args) => stepping(Reflect.construct(real, args), ['exec']) });
const builtIn = process.getBuiltinModule?.('node:sqlite');
if (builtIn !== undefined) builtIn.DatabaseSync = constructed(builtIn.DatabaseSync);
else {
  const require = createRequire(import.meta.url);
  const driver = require('@photostructure/sqlite');
  const loaded = require.cache[require.resolve('@photostructure/sqlite')];
  loaded.exports = { ...driver, DatabaseSync: constructed(driver.DatabaseSync) };
}

if (isMainThread && report !== '') process.on('exit', () => writeFileSync(report, String(steps)));

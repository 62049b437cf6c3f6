import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { dropIndex } from '../../../src/adapters/sqlite/outbox/drop-index.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import { changeOf, growth, SAMPLE_CHUNKING, SAMPLE_MODEL, vectorOf } from '../transcripts/sample-sessions.ts';

// A process that changes a store and kills itself before its nth step: `crashing-entry WORK PATH N STEPS`. Steps are the beginnings and
// ends of transactions, and deletions of files; with STEPS `all`, also every statement that writes. With N `copies` it survives, and
// copies the store's folder before each step, which is what a kill would leave behind.
const [, , work = '', path = '', n = '', steps = ''] = process.argv;
const SHORT = { id: 'a', chunks: ['one'] };
const LONG = { id: 'a', chunks: ['one', 'two'] };

let left = Number.POSITIVE_INFINITY;
let copies = Number.NaN;
function step(): void {
  if (copies >= 0) {
    fs.cpSync(dirname(path), `${dirname(path)}-${copies}`, { recursive: true });
    copies += 1;
  }
  left -= 1;
  if (left < 0) process.kill(process.pid, 'SIGKILL');
}

function steppingBefore<T extends object>(target: T, names: string[]): T {
  return new Proxy(target, {
    get(real, name) {
      const value: unknown = Reflect.get(real, name, real);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (names.includes(String(name))) step();
        const result: unknown = Reflect.apply(value, real, args);
        return name === 'prepare' ? steppingBefore(result as object, steps === 'all' ? ['run'] : []) : result;
      };
    },
  });
}

type Driver = typeof import('node:sqlite');
const crashing = ({ DatabaseSync }: Driver) =>
  new Proxy(DatabaseSync, {
    construct: (real, args) => steppingBefore(Reflect.construct(real, args), ['exec']),
  });
const builtIn: Driver | undefined = process.getBuiltinModule?.('node:sqlite');
if (builtIn !== undefined) Reflect.set(builtIn, 'DatabaseSync', crashing(builtIn));
else {
  const require = createRequire(import.meta.url);
  const driver: Driver = require('@photostructure/sqlite');
  const loaded = require.cache[require.resolve('@photostructure/sqlite')];
  if (loaded !== undefined) loaded.exports = { ...driver, DatabaseSync: crashing(driver) };
}
const { rmSync } = fs;
fs.rmSync = (...args) => {
  step();
  rmSync(...args);
};
syncBuiltinESMExports();

const open = () => openSqlitePointStore(path, SAMPLE_CHUNKING);
const vector = { id: pointId('a', 'chunk'), contentHash: sha256('one'), vector: vectorOf('one') };
const WORKS: Record<string, () => Promise<unknown>> = {
  write: async () => open().write([changeOf({ id: 'b', chunks: ['three'] })]),
  grow: async () => open().write([growth(SHORT, LONG)]),
  tag: async () => open().setTags('a', ['later']),
  embed: async () => open().setVectors(SAMPLE_MODEL, [vector]),
  delete: async () => open().deleteSessions(['a']),
  async replace() {
    dropIndex(path);
    await open().write([changeOf(LONG)]);
  },
};
if (n === 'copies') copies = 0;
else left = Number(n);
await WORKS[work]?.();
process.stdout.write('done');

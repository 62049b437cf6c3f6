import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dropIndex } from '../../../src/adapters/sqlite/outbox/drop-index.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { sha256 } from '../../../src/domain/point/hash.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { changeOf, growth, SAMPLE_CHUNKING, SAMPLE_MODEL, vectorOf } from '../transcripts/sample-sessions.ts';

// A process that changes a store and kills itself before the nth statement, or file that it deletes. `crashing-entry WORK PATH N`
const [, , work = '', path = '', steps = ''] = process.argv;
const SHORT = { id: 'a', chunks: ['one'] };
const LONG = { id: 'a', chunks: ['one', 'two'] };

let left = Number.POSITIVE_INFINITY;
function step(): void {
  left -= 1;
  if (left < 0) process.kill(process.pid, 'SIGKILL');
}

function crashIn(target: object, name: string): void {
  const real: unknown = Reflect.get(target, name);
  if (typeof real !== 'function') throw new Error(`there is no ${name}`);
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
    step();
    return Reflect.apply(real, this, args);
  });
}

const { DatabaseSync, StatementSync } =
  process.getBuiltinModule?.('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
crashIn(DatabaseSync.prototype, 'exec');
crashIn(StatementSync.prototype, 'run');
crashIn(fs, 'rmSync');
syncBuiltinESMExports();

const open = () => openSqlitePointStore(path, SAMPLE_CHUNKING);
const vector = { id: pointId('a', 'chunk'), contentHash: sha256('one'), vector: vectorOf('one') };
const WORKS: Record<string, () => Promise<unknown>> = {
  open: async () => open(),
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
left = Number(steps);
await WORKS[work]?.();
process.stdout.write('done');

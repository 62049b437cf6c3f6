import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Closes the databases of commands that ran in this process, so that their logs are written into their files. Call it before a test
 * inspects or damages these files. Up to Node 22.12, a closed database stays open until its statements are collected as garbage.
 * Collecting garbage takes longer than most commands, so nothing else waits for it.
 */
export async function releaseDatabases(): Promise<void> {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await setImmediate();
}

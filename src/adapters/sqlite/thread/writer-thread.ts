import { parentPort, workerData } from 'node:worker_threads';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import { createLexicalTokenizer } from '../../../domain/search/lexical.ts';
import { writeInPlace } from '../../../ports/point-store.ts';
import { openSqlitePointStore } from '../points/sqlite-point-store.ts';
import type { ThreadAnswer, ThreadRequest, ThreadStart } from './thread-messages.ts';

// The thread of thread-writer.ts, with its own connection and tokenizer.
const { path, chunking } = workerData as ThreadStart;
const store = openSqlitePointStore(path, chunking);
const writer = writeInPlace(store, createLexicalTokenizer());
let done: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (request: ThreadRequest) => {
  done = done.then(() => (request === null ? end() : answer(request)));
});

async function answer(request: Exclude<ThreadRequest, null>): Promise<void> {
  const written = 'cut' in request ? store.write(request.cut) : writer.write(request.uncut);
  parentPort?.postMessage(await written.catch(failureOf));
}

async function end(): Promise<void> {
  await store.close();
  parentPort?.close();
}

function failureOf(error: unknown): ThreadAnswer {
  const known = error instanceof SmartForkError ? error : null;
  const code = known?.code ?? 'STORE_UNAVAILABLE';
  return { failure: { code, message: errorText(error), hint: known?.hint } };
}

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import { type SessionWriter, tokenizeChange, type UntokenizedChange } from '../../../ports/point-store.ts';
import type { ThreadAnswer, ThreadRequest, ThreadStart } from './thread-messages.ts';

/** Starting a thread takes as long as writing about 5 MB of transcripts. */
const WORTH_BYTES = 8 * 1024 * 1024;
/** If more groups than this are waiting, the reading thread tokenizes too. Reading takes longer than writing, so this is rare. */
const BEHIND = 2;
/** Next to the built chunks; missing if smart-fork runs from its sources. */
const THREAD_FILE = fileURLToPath(new URL('../writer-thread.js', import.meta.url));

interface ThreadWriterOptions extends ThreadStart {
  /** Used until a thread pays off. */
  inPlace: SessionWriter;
  tokenizer: LexicalTokenizer;
  threadFile?: string;
}

/** Tokenizes and writes in a thread if there is a lot to write and a second core. */
export function createThreadWriter(options: ThreadWriterOptions): SessionWriter {
  const { inPlace, tokenizer, path, chunking, threadFile = THREAD_FILE } = options;
  let thread: WritingThread | null = null;
  return {
    expect(bytes) {
      const pays = bytes >= WORTH_BYTES && availableParallelism() > 1 && existsSync(threadFile);
      if (pays) thread ??= startThread(threadFile, { path, chunking }, tokenizer);
    },
    write: (changes) => (thread ?? inPlace).write(changes),
    async close() {
      await thread?.close();
      thread = null;
      await inPlace.close();
    },
  };
}

type WritingThread = Omit<SessionWriter, 'expect'>;
type Waiting = { resolve(answer: { conflicts: string[] }): void; reject(error: unknown): void };

function startThread(file: string, start: ThreadStart, tokenizer: LexicalTokenizer): WritingThread {
  const worker = new Worker(file, { workerData: start });
  const waiting: Waiting[] = [];
  let ended: SmartForkError | null = null;
  const stop = (error: unknown) => {
    ended ??= stoppedError(start.path, error);
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  const exit = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      stop('the thread exited');
      resolve();
    });
  });
  worker.on('error', stop);
  worker.on('message', (answer: ThreadAnswer) => {
    const next = waiting.shift();
    if (!('failure' in answer)) return next?.resolve(answer);
    const { code, message, hint } = answer.failure;
    next?.reject(new SmartForkError(code, message, hint === undefined ? {} : { hint }));
  });
  const post = (request: ThreadRequest) => worker.postMessage(request);
  return {
    write: (changes: UntokenizedChange[]) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        const isBehind = waiting.length > BEHIND;
        waiting.push({ resolve, reject });
        post(
          isBehind ? { cut: changes.map((change) => tokenizeChange(change, tokenizer)) } : { uncut: changes },
        );
      }),
    async close() {
      if (ended === null) post(null);
      await exit;
    },
  };
}

function stoppedError(path: string, error: unknown): SmartForkError {
  return new SmartForkError(
    'STORE_UNAVAILABLE',
    `writing to the store ${path} stopped: ${errorText(error)}`,
    { hint: 'Run the command again: it continues where it stopped.', cause: error },
  );
}

import { closeSync } from 'node:fs';
import { isReaderGone } from './print.ts';
import type { InputStream } from './terminal.ts';

type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

/**
 * Calls back when reading the terminal shows that it is gone, as with a closed window, and lets the process end quietly. Returns a
 * function that stops the calls.
 */
export function listenForHangUp({ stdin, stdout, stderr }: Streams, onGone: () => void): () => void {
  const terminals = [stdin, stdout, stderr].flatMap((one, descriptor) => (one?.isTTY ? [descriptor] : []));
  if (terminals.length > 0) process.on('exit', () => terminals.forEach(releaseGone));
  return stdin?.isTTY ? catchReadError(stdin, onGone) : () => undefined;
}

/**
 * Keeps the error from the stream's listeners: readline emits it again, on an object that only the library of prompts knows, where
 * it would be uncaught.
 */
function catchReadError(stdin: InputStream, onGone: () => void): () => void {
  const { emit } = stdin;
  stdin.emit = (event: string | symbol, ...values: unknown[]) => {
    const [error] = values;
    if (event !== 'error' || !(error instanceof Error) || !isReaderGone(error))
      return emit.call(stdin, event, ...values);
    onGone();
    return true;
  };
  return () => {
    stdin.emit = emit;
  };
}

/** Node aborts at its exit if it cannot reset a terminal that is gone; it leaves closed descriptors alone. */
function releaseGone(descriptor: number): void {
  if (process.getBuiltinModule('node:tty').isatty(descriptor)) return;
  try {
    closeSync(descriptor);
  } catch {
    // It is closed.
  }
}

import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parseJson } from '../jsonl/read-value.ts';
import { socketPath } from './socket-path.ts';

/** A server that does not answer within this time is busy, and the command does the work itself. */
const PATIENCE_MS = 10_000;

/** Sends this machine's server a question as a line of JSON; null if there is no server, or it does not answer. */
export async function askSocket(home: string, question: unknown): Promise<unknown> {
  const path = socketPath(home);
  if (path === null || (process.platform !== 'win32' && !existsSync(path))) return null;
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket: Socket = connect(path, () => socket.write(`${JSON.stringify(question)}\n`));
    const end = (answer: unknown) => {
      socket.destroy();
      resolve(answer);
    };
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(PATIENCE_MS, () => end(null));
    socket.on('error', () => end(null));
    socket.on('close', () => end(null));
    socket.on('data', (part) => {
      text += part;
      if (text.endsWith('\n')) end(parseJson(text) ?? null);
    });
  });
}

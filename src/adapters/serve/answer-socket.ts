import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { socketPath } from './socket-path.ts';

const LONGEST_QUESTION = 1024 * 1024;
const MAX_CLIENTS = 100;
const PATIENCE_MS = 30_000;

/** Answers questions from commands on this machine, one line of JSON each. Null if a socket cannot be opened here. */
export async function answerSocket(
  home: string,
  answer: (question: unknown) => Promise<unknown>,
): Promise<{ close(): Promise<void> } | null> {
  const path = socketPath(home);
  if (path === null) return null;
  // A killed server leaves its socket behind.
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const server = createServer((socket) => take(socket, answer));
  server.maxConnections = MAX_CLIENTS;
  if (!(await listen(server, path))) return null;
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(path, () => {
      if (process.platform !== 'win32') chmodSync(path, 0o600);
      resolve(true);
    });
  });
}

function take(socket: Socket, answer: (question: unknown) => Promise<unknown>): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (part) => {
    text += part;
    if (text.length > LONGEST_QUESTION) socket.destroy();
    else if (text.endsWith('\n')) {
      socket.pause();
      void reply(socket, text, answer);
    }
  });
}

async function reply(
  socket: Socket,
  text: string,
  answer: (question: unknown) => Promise<unknown>,
): Promise<void> {
  try {
    socket.end(`${JSON.stringify(await answer(JSON.parse(text)))}\n`);
  } catch {
    // The command then does the work itself, and reports any problem.
    socket.destroy();
  }
}

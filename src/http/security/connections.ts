import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** More concurrent clients than any user has. */
const MAX_CONNECTIONS = 400;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 20_000;
/** How often the time limits are checked. */
const CHECK_MS = 2000;

export const SERVER_OPTIONS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_MS,
  maxHeaderSize: 32 * 1024,
} as const;

/**
 * Limits the number of connections without locking anybody out: if there are too many, it closes the oldest one that is not being
 * answered. A client that is still sending its request is not being answered yet.
 */
export function boundConnections(server: Server): void {
  const answered = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    answered.set(socket, 0);
    socket.once('close', () => answered.delete(socket));
    if (answered.size <= MAX_CONNECTIONS) return;
    const oldest = [...answered].find(([, running]) => running === 0)?.[0];
    (oldest ?? socket).destroy();
  });
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    const begin = () => answered.set(socket, (answered.get(socket) ?? 0) + 1);
    // A request without a body is complete once its headers are.
    if (hasBody(request.headers)) request.once('end', begin);
    else begin();
    response.once('close', () => {
      if (answered.has(socket)) answered.set(socket, Math.max(0, (answered.get(socket) ?? 0) - 1));
    });
  });
}

function hasBody({
  'content-length': length,
  'transfer-encoding': encoding,
}: NodeJS.Dict<string | string[]>) {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

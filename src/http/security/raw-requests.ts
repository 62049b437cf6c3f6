import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpProblem, problemOf } from '../problem.ts';
import { MAX_BODY_BYTES, MAX_MCP_BYTES } from './bodies.ts';
import { SECURITY_HEADERS } from './headers.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Rejects what must not reach the routes: oversized bodies, before they are read, and other protocols. */
export function refusing(answer: Listener): Listener {
  return (request, response) => {
    const limit = request.url?.startsWith('/mcp') === true ? MAX_MCP_BYTES : MAX_BODY_BYTES;
    if (Number(request.headers['content-length'] ?? 0) <= limit) return answer(request, response);
    const error = new HttpProblem(413, 'TOO_LARGE', `a request is limited to ${limit} bytes`);
    const body = JSON.stringify(problemOf(error, () => undefined));
    const headers = { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', connection: 'close' };
    response.writeHead(413, headers);
    response.end(body, () => request.destroy());
  };
}

/** Rejects WebSockets, which are not used. */
export function refuseUpgrades(server: Server): void {
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
}

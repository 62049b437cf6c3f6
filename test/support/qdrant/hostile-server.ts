import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** How a server that is broken, or not Qdrant, answers every request. */
export const HOSTILE = {
  /** 200 and an endless body, as fast as the client reads. */
  endless: (response: ServerResponse) => endless(response, '{"result":[', 'x'),
  'endless white space': (response: ServerResponse) => endless(response, '', ' '),
  'endless error': (response: ServerResponse) => endless(response, '', 'no ', 500),
  'slow drip': drip,
  'an empty list': (response: ServerResponse) => json(response, { result: [] }),
  'a result of null': (response: ServerResponse) => json(response, { result: null }),
  'a number': (response: ServerResponse) => json(response, { result: 7 }),
  'points of null': (response: ServerResponse) =>
    json(response, { result: { points: [null], hits: [null] } }),
  'gzip, unasked': (response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(`{"result":[],"title":"${' '.repeat(1_000_000)}"}`)),
  'no JSON': (response: ServerResponse) => response.end('<html>hello</html>'),
  'half a JSON text': (response: ServerResponse) => response.end('{"result":{"points":[{"id":'),
  'a redirect': (response: ServerResponse) =>
    response.writeHead(307, { location: 'https://collector.example/steal' }).end(),
  'a reset': (_: ServerResponse, socket: Socket) => socket.resetAndDestroy(),
  'not HTTP': (_: ServerResponse, socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  silence: () => undefined,
} satisfies Record<string, (response: ServerResponse, socket: Socket) => unknown>;

/** Starts the server on loopback; resolves to its address. */
export async function startHostileServer(kind: keyof typeof HOSTILE): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    HOSTILE[kind](response, request.socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function endless(response: ServerResponse, start: string, text: string, status = 200): void {
  const piece = Buffer.alloc(1024 * 1024, text);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.write(start);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

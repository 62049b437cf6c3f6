import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const HUB_COMMIT = 'c0ffee'.padEnd(40, '0');

export interface HubDouble {
  url: string;
  /** Requests: `GET /path`, followed by the range if there was one. */
  requests: string[];
  /** Tests may change these. */
  faults: HubFaults;
  close(): Promise<void>;
}

export interface HubFaults {
  /** Breaks the connection after this many bytes of a file, this many times. */
  cut?: { bytes: number; times: number };
  /** Answers every request with this status. */
  status?: number;
  /** Sends bytes that differ from the announced ones. */
  corrupt?: boolean;
  /** Sends whole files, ignoring ranges. */
  noRanges?: boolean;
  /** Sends this many bytes of a file, then stalls. */
  stall?: number;
}

/** A fake hub with one model, and its files by path. Files larger than a thousand bytes count as LFS files. */
export async function startHubDouble(id: string, files: Record<string, Buffer>): Promise<HubDouble> {
  const requests: string[] = [];
  const faults: HubFaults = {};
  const server = createServer((request, response) => {
    requests.push(
      [request.method, request.url?.split('?')[0], request.headers.range].filter(Boolean).join(' '),
    );
    void answer(request, response, { id, files, faults });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, faults, close: () => stop(server) };
}

interface Hub {
  id: string;
  files: Record<string, Buffer>;
  faults: HubFaults;
}

async function answer(request: IncomingMessage, response: ServerResponse, hub: Hub): Promise<void> {
  const path = decodeURIComponent(request.url?.split('?')[0] ?? '');
  const api = `/api/models/${hub.id}/`;
  const file = hub.files[path.slice(`/${hub.id}/resolve/${HUB_COMMIT}/`.length)];
  if (hub.faults.status !== undefined) sendJson(response, { error: 'as told' }, hub.faults.status);
  else if (path === `${api}revision/main`) sendJson(response, { _id: '1', id: hub.id, sha: HUB_COMMIT });
  else if (path === `${api}paths-info/${HUB_COMMIT}`)
    sendJson(response, await describePaths(request, hub.files));
  else if (path.startsWith(`/${hub.id}/resolve/`) && file) sendFile(request, response, file, hub.faults);
  else sendJson(response, { error: 'Repository not found' }, 404);
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function describePaths(request: IncomingMessage, files: Record<string, Buffer>): Promise<object[]> {
  const body = Buffer.concat(await request.toArray()).toString();
  const { paths } = JSON.parse(body) as { paths: string[] };
  return Object.entries(files)
    .filter(([path]) => paths.includes(path))
    .map(([path, content]) => {
      const lfs = {
        oid: createHash('sha256').update(content).digest('hex'),
        size: content.length,
        pointerSize: 130,
      };
      return {
        type: 'file',
        path,
        size: content.length,
        oid: gitHash(content),
        lfs: content.length > 1000 ? lfs : undefined,
      };
    });
}

function gitHash(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: Buffer, faults: HubFaults): void {
  const from = faults.noRanges ? 0 : Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const body = Buffer.from(file.subarray(from));
  if (faults.corrupt) body.fill(0);
  if (from > 0) response.setHeader('content-range', `bytes ${from}-${file.length - 1}/${file.length}`);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length });
  if (faults.stall !== undefined && faults.stall < body.length) {
    response.write(body.subarray(0, faults.stall));
  } else if (faults.cut && faults.cut.times > 0 && body.length > faults.cut.bytes) {
    faults.cut.times--;
    response.write(body.subarray(0, faults.cut.bytes), () => setTimeout(() => response.destroy(), 20));
  } else {
    response.end(body);
  }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
